//! The real program in a real window under Xvfb, driven from outside through eframe's inspection port: clicks, drags, keys,
//! the accessibility tree and screenshots, as a person would use and see it.
//!
//! The port speaks length-prefixed MessagePack: a request is an enum variant with its arguments, as serde writes it.

use rmpv::Value;
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// Keys held during an event.
#[derive(Clone, Copy, Default)]
pub(crate) struct Held {
    pub(crate) ctrl: bool,
    pub(crate) shift: bool,
    pub(crate) alt: bool,
}

impl Held {
    pub(crate) const NONE: Self = Self { ctrl: false, shift: false, alt: false };
    pub(crate) const CTRL: Self = Self { ctrl: true, ..Self::NONE };
    pub(crate) const CTRL_SHIFT: Self = Self { ctrl: true, shift: true, alt: false };

    /// alt, ctrl, shift, mac_cmd, command: the order in which egui declares them.
    fn value(self) -> Value {
        Value::Array([self.alt, self.ctrl, self.shift, false, self.ctrl].map(Value::from).to_vec())
    }
}

/// A named widget of the accessibility tree; bounds are in logical points.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// What kind of widget: `button`, `spinButton`, `canvas`, ...
    pub(crate) role: String,
    pub(crate) label: String,
    pub(crate) value: String,
    pub(crate) bounds: [f64; 4],
}

impl Node {
    pub(crate) fn centre(&self) -> [f64; 2] {
        let [x0, y0, x1, y1] = self.bounds;
        [0.5 * (x0 + x1), 0.5 * (y0 + y1)]
    }
}

/// A running program with its own screen and its own, empty settings folder.
pub(crate) struct Window {
    screen: Child,
    program: Child,
    stream: TcpStream,
    pub(crate) folder: tempfile::TempDir,
}

impl Drop for Window {
    fn drop(&mut self) {
        for child in [&mut self.program, &mut self.screen] {
            // It may have ended already.
            drop(child.kill());
            drop(child.wait());
        }
    }
}

impl Window {
    /// Starts the program on a screen of this size. None, with a message, where there is no Xvfb; a failure in CI.
    pub(crate) fn start(size: [u32; 2], arguments: &[&Path]) -> Option<Self> {
        Self::start_with(size, arguments, None)
    }

    /// The same, with these settings kept from a run before.
    pub(crate) fn start_with(size: [u32; 2], arguments: &[&Path], settings: Option<&str>) -> Option<Self> {
        let spawned = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0"])
            .arg(format!("{}x{}x24", size[0], size[1]))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut screen = match spawned {
            Ok(screen) => screen,
            Err(error) => {
                assert!(std::env::var_os("CI").is_none(), "Xvfb is required in CI: {error}");
                eprintln!("SKIPPED: the window test needs Xvfb ({error})");
                return None;
            }
        };
        let mut display = String::new();
        BufReader::new(screen.stdout.take().unwrap()).read_line(&mut display).unwrap();
        let folder = tempfile::tempdir().unwrap();
        if let Some(settings) = settings {
            let own = folder.path().join("config/inbetween");
            std::fs::create_dir_all(&own).unwrap();
            std::fs::File::create(own.join("settings.json")).unwrap().write_all(settings.as_bytes()).unwrap();
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let program = Command::new(env!("CARGO_BIN_EXE_inbetween"))
            .args(arguments)
            .current_dir(folder.path())
            .env("DISPLAY", format!(":{}", display.trim()))
            .env_remove("WAYLAND_DISPLAY")
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .env("XDG_CONFIG_HOME", folder.path().join("config"))
            .env("XDG_DATA_HOME", folder.path().join("data"))
            .env("XDG_CACHE_HOME", folder.path().join("cache"))
            .env("EGUI_INSPECTION", format!("127.0.0.1:{port}"))
            .spawn()
            .unwrap();
        let stream = connect(port);
        let mut window = Self { screen, program, stream, folder };
        let mut hello = [0; 8];
        window.stream.read_exact(&mut hello).unwrap();
        assert_eq!(&hello[..4], b"eins", "not an egui inspection port");
        window.settle();
        Some(window)
    }

    fn request(&mut self, request: &Value) -> Value {
        let reply = self.ask(request);
        assert!(field(&reply, "Error").is_none(), "{reply} to {request}");
        reply
    }

    fn ask(&mut self, request: &Value) -> Value {
        let mut body = Vec::new();
        rmpv::encode::write_value(&mut body, request).unwrap();
        self.stream.write_all(&u32::try_from(body.len()).unwrap().to_be_bytes()).unwrap();
        self.stream.write_all(&body).unwrap();
        let mut length = [0; 4];
        self.stream.read_exact(&mut length).expect("the program closed the connection: it has crashed");
        let mut reply = vec![0; u32::from_be_bytes(length) as usize];
        self.stream.read_exact(&mut reply).unwrap();
        rmpv::decode::read_value(&mut reply.as_slice()).unwrap()
    }

    /// Waits until the program has nothing more to draw, or enough frames have passed. The port gives up where a frame takes
    /// seconds, as the first ones may on a machine with more to do: then it is asked again.
    pub(crate) fn settle(&mut self) {
        let settle = call("Settle", vec![Value::from(50)]);
        let deadline = Instant::now() + Duration::from_secs(60);
        while let Some(error) = field(&self.ask(&settle), "Error") {
            assert!(Instant::now() < deadline, "{error}");
        }
    }

    fn events(&mut self, events: Vec<Value>) {
        let reply = self.ask(&call("ApplyEvents", vec![Value::Array(events)]));
        if let Some(error) = field(&reply, "Error") {
            // They are on their way to a frame that takes seconds, as the first after opening a file may.
            assert!(error.to_string().contains("timed out"), "{error}");
            self.settle();
        }
    }

    /// Every named widget on the screen.
    pub(crate) fn nodes(&mut self) -> Vec<Node> {
        let reply = self.request(&Value::from("GetTree"));
        let tree = field(&reply, "Tree").expect("a tree");
        let update = tree.as_array().map_or_else(|| field(tree, "accesskit"), |parts| parts.get(2)).expect("an update");
        let nodes = update.as_array().map_or_else(|| field(update, "nodes"), |parts| parts.first()).expect("nodes");
        nodes.as_array().expect("a list of nodes").iter().filter_map(node).collect()
    }

    /// The widget with this label (or value, where it has no label).
    pub(crate) fn find(&mut self, label: &str) -> Option<Node> {
        self.nodes().into_iter().find(|node| node.label == label || (node.label.is_empty() && node.value == label))
    }

    /// The widget with this label; fails with what there is.
    pub(crate) fn get(&mut self, label: &str) -> Node {
        let nodes = self.nodes();
        let found = nodes.iter().find(|node| node.label == label || (node.label.is_empty() && node.value == label));
        found.cloned().unwrap_or_else(|| {
            let labels: Vec<&str> = nodes.iter().map(|node| node.label.as_str()).filter(|l| !l.is_empty()).collect();
            panic!("no widget '{label}' among {labels:?}")
        })
    }

    pub(crate) fn move_to(&mut self, at: [f64; 2]) {
        self.events(vec![call("PointerMoved", vec![at[0].into(), at[1].into()])]);
    }

    pub(crate) fn button(&mut self, at: [f64; 2], pressed: bool, held: Held) {
        let place = Value::Array(vec![at[0].into(), at[1].into()]);
        self.events(vec![call("PointerButton", vec![place, "Primary".into(), pressed.into(), held.value()])]);
    }

    pub(crate) fn click_at(&mut self, at: [f64; 2]) {
        self.move_to(at);
        self.button(at, true, Held::NONE);
        self.button(at, false, Held::NONE);
        self.settle();
    }

    /// Presses and releases within one frame: where frames are slow the time between two would make it a long press.
    pub(crate) fn tap_at(&mut self, at: [f64; 2]) {
        self.move_to(at);
        let place = Value::Array(vec![at[0].into(), at[1].into()]);
        let button = |pressed: bool| {
            call("PointerButton", vec![place.clone(), "Primary".into(), pressed.into(), Held::NONE.value()])
        };
        self.events(vec![button(true), button(false)]);
        self.settle();
    }

    pub(crate) fn click(&mut self, label: &str) {
        let at = self.get(label).centre();
        self.click_at(at);
    }

    /// Presses, moves in steps and releases.
    pub(crate) fn drag(&mut self, from: [f64; 2], to: [f64; 2], steps: u32) {
        self.move_to(from);
        self.button(from, true, Held::NONE);
        for step in 1..=steps {
            let t = f64::from(step) / f64::from(steps);
            self.move_to([from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])]);
        }
        self.button(to, false, Held::NONE);
        self.settle();
    }

    /// Presses and releases a key by egui's name for it.
    pub(crate) fn key(&mut self, key: &str, held: Held) {
        for pressed in [true, false] {
            self.events(vec![call("Key", vec![key.into(), Value::Nil, pressed.into(), false.into(), held.value()])]);
        }
        self.settle();
    }

    pub(crate) fn type_text(&mut self, text: &str) {
        self.events(vec![Value::Map(vec![("Text".into(), text.into())])]);
        self.settle();
    }

    /// Waits, at most half a minute, until a question about the screen is answered with something.
    pub(crate) fn wait_for<T>(&mut self, what: &str, mut ask: impl FnMut(&mut Self) -> Option<T>) -> T {
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            if let Some(answer) = ask(self) {
                return answer;
            }
            if Instant::now() > deadline {
                let path = self.screenshot("failure.png");
                panic!("waited in vain for {what}; the screen is in {}", path.display());
            }
            std::thread::sleep(Duration::from_millis(50));
            self.settle();
        }
    }

    /// Saves what is on the screen to a file in the folder that tests may leave things in.
    pub(crate) fn screenshot(&mut self, name: &str) -> PathBuf {
        let reply = self.request(&call("GetScreenshot", vec![1.0.into()]));
        let shot = field(&reply, "Screenshot").expect("a screenshot");
        let bytes = shot.as_array().map_or_else(|| field(shot, "bytes"), |parts| parts.get(1)).expect("its bytes");
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::File::create(&path).unwrap().write_all(bytes.as_slice().expect("bytes")).unwrap();
        path
    }
}

fn connect(port: u16) -> TcpStream {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        match TcpStream::connect(("127.0.0.1", port)) {
            Ok(stream) => {
                stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
                return stream;
            }
            Err(error) => assert!(Instant::now() < deadline, "the program did not open its port: {error}"),
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// An enum variant with its arguments.
fn call(name: &str, arguments: Vec<Value>) -> Value {
    Value::Map(vec![(name.into(), Value::Array(arguments))])
}

fn field<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    value.as_map()?.iter().find(|(key, _)| key.as_str() == Some(name)).map(|(_, value)| value)
}

/// One entry of the tree: its id, and the node as a list (role, actions, child actions, flags, properties) or as a map.
fn node(entry: &Value) -> Option<Node> {
    let node = entry.as_array()?.get(1)?;
    let properties = match node.as_array() {
        Some(parts) => parts.get(4)?,
        None => node,
    };
    let role = node.as_array().map_or_else(|| field(node, "role"), |parts| parts.first());
    let text = |name| field(properties, name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let bounds = field(properties, "bounds")?;
    let corner = |index: usize, name| {
        let value = bounds.as_array().map_or_else(|| field(bounds, name), |parts| parts.get(index));
        value.and_then(Value::as_f64)
    };
    Some(Node {
        role: role.and_then(Value::as_str).unwrap_or_default().to_owned(),
        label: text("label"),
        value: text("value"),
        bounds: [corner(0, "x0")?, corner(1, "y0")?, corner(2, "x1")?, corner(3, "y1")?],
    })
}
