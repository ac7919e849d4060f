//! Golden reference values: every case of every `*.json` in the folder that INBETWEEN_GOLDEN names (`tests/golden`
//! unless set), through product code only.
//!
//! A new topic is one file here and one row in the table below, and its values copied to `tests/golden`. That folder
//! holds exactly the topics with runners; in another folder, topics without a runner and runners without a case are
//! printed. A runner must consume every field of `inputs` and judge every field of `expected`: what it does not know
//! fails.

mod additive;
mod arc_length;
mod bend_twist_taper;
mod blend_1d;
mod blend_2d_delaunay;
mod blend_shapes;
mod bvh;
mod case;
mod constraints;
mod css_cubic_bezier;
mod curve_bezier_handles;
mod curve_catmull_rom_cardinal;
mod curve_hermite;
mod curve_linear_step;
mod curve_tcb;
mod curves;
mod distance_time;
mod easing;
mod euler_quat;
mod ffd;
mod fk;
mod folder;
mod gradient_band;
mod ik_ccd_fabrik;
mod ik_jacobian;
mod inertialization;
mod lagrange;
mod played;
mod pose_blend;
mod quat_basic;
mod rbf_warp;
mod retarget;
mod rotations_from_positions;
mod skinning;
mod slerp_nlerp;
mod spline_c2;
mod spring_damper;
mod squad;
mod two_bone_ik;

use case::{Case, Outcome};

/// Runs one case: reads the inputs, calls the product, judges every expected field.
type Runner = fn(&Case) -> Outcome;

/// Makes the table and one test a topic, so that they run apart and fail apart.
macro_rules! topics {
    ($($topic:ident => $test:ident,)*) => {
        const TOPICS: &[(&str, Runner)] = &[$((stringify!($topic), $topic::run)),*];

        $(
            #[test]
            fn $test() {
                folder::run_topic(stringify!($topic), $topic::run);
            }
        )*
    };
}

topics! {
    additive => golden_additive,
    arc_length => golden_arc_length,
    bend_twist_taper => golden_bend_twist_taper,
    blend_1d => golden_blend_1d,
    blend_2d_delaunay => golden_blend_2d_delaunay,
    blend_shapes => golden_blend_shapes,
    bvh => golden_bvh,
    css_cubic_bezier => golden_css_cubic_bezier,
    constraints => golden_constraints,
    curve_bezier_handles => golden_curve_bezier_handles,
    curve_catmull_rom_cardinal => golden_curve_catmull_rom_cardinal,
    curve_hermite => golden_curve_hermite,
    curve_linear_step => golden_curve_linear_step,
    curve_tcb => golden_curve_tcb,
    distance_time => golden_distance_time,
    easing => golden_easing,
    euler_quat => golden_euler_quat,
    ffd => golden_ffd,
    fk => golden_fk,
    gradient_band => golden_gradient_band,
    ik_ccd_fabrik => golden_ik_ccd_fabrik,
    ik_jacobian => golden_ik_jacobian,
    inertialization => golden_inertialization,
    lagrange => golden_lagrange,
    pose_blend => golden_pose_blend,
    quat_basic => golden_quat_basic,
    rbf_warp => golden_rbf_warp,
    retarget => golden_retarget,
    rotations_from_positions => golden_rotations_from_positions,
    skinning => golden_skinning,
    slerp_nlerp => golden_slerp_nlerp,
    spline_c2 => golden_spline_c2,
    spring_damper => golden_spring_damper,
    squad => golden_squad,
    two_bone_ik => golden_two_bone_ik,
}

#[test]
fn golden_folder_and_table_fit_each_other() {
    folder::check_table(TOPICS);
}
