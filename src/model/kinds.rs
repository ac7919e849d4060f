//! Kinds of things that are one row each.

/// An enum of plain kinds, and all of them in the order of their rows.
macro_rules! kinds {
    ($(#[$about:meta])* pub enum $name:ident { $($(#[$one:meta])* $kind:ident),* $(,)? }) => {
        $(#[$about])*
        pub enum $name {
            $($(#[$one])* $kind),*
        }

        impl $name {
            /// All kinds, in the order of their rows.
            pub const ALL: [Self; [$(stringify!($kind)),*].len()] = [$(Self::$kind),*];
        }
    };
}

pub(crate) use kinds;
