//! Things that bounce and bend.

use super::person::{Person, Way, in_all_ways};
use crate::support::window::Node;
use inbetween::{
    command::CommandId,
    eval::{
        Evaluator,
        mesh::{mesh_state, positions},
    },
    math::Vec3,
    model::{Document, ObjectId},
};

in_all_ways!(a_bouncing_ball, bend_the_torso_by_a_lattice_over_ten_frames);

/// The first mesh.
fn mesh(document: &Document) -> ObjectId {
    *document.objects.iter().find(|(_, object)| object.as_mesh().is_some()).expect("a mesh").0
}

/// Where the vertices of a mesh are at a frame, and the volume that it encloses.
fn shape(document: &Document, id: ObjectId, frame: i64) -> (Vec<Vec3>, f64) {
    let evaluated = Evaluator::new().frame(document, document.settings.rate.secs(frame));
    let mesh = document.object(id).and_then(|object| object.as_mesh()).unwrap();
    let at = positions(mesh, &mesh_state(document, &evaluated, id).unwrap());
    let triangles = mesh.geometry.indices.chunks_exact(3).map(|corners| [0, 1, 2].map(|n| at[corners[n] as usize]));
    let volume = triangles.map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum();
    (at, volume)
}

fn middle(points: &[Vec3]) -> Vec3 {
    points.iter().sum::<Vec3>() / points.len() as f64
}

/// A key of a channel at a frame in the graph.
fn key_of(person: &mut Person, channel: &str, frame: i64) -> [f64; 2] {
    let name = format!("Key of {channel}, frame {frame},");
    let found = |node: Node| node.label.starts_with(&name).then(|| node.centre());
    person.window.wait_for(&name, |window| window.nodes().into_iter().find_map(found))
}

fn a_bouncing_ball(way: Way) {
    let Some(mut person) = Person::start("4_ball", way) else { return };
    person.command(CommandId::New);
    person.command(CommandId::AddSphere);
    let view = person.window.get("3D view").centre();
    person.window.move_to(view);
    person.command(CommandId::ViewFront);
    let ball = person.joint("Sphere");
    person.drag(ball, [-200.0, -120.0]);
    person.command(CommandId::SetKey);
    person.command_or(CommandId::LastFrame, "Last frame");
    let ball = person.joint("Sphere");
    // Further down than the ground, which holds it.
    person.drag(ball, [400.0, 160.0]);
    person.window.screenshot("task_4_ball_keyed.png");
    for (channel, interpolation) in [("Sphere Translation Y", "Bounce"), ("Sphere Translation X", "Linear")] {
        let key = key_of(&mut person, channel, 0);
        person.click_at(key);
        person.click("Interpolation");
        person.click(interpolation);
    }
    person.command(CommandId::SquashLandings);
    person.window.wait_for("the squash", |window| window.find("Squash and stretch"));
    person.window.move_to(view);
    person.command_or(CommandId::ToggleTrail, "Trail");
    let after = person.document();

    let ball = mesh(&after);
    let frames = after.settings.play_range;
    let shapes: Vec<(Vec<Vec3>, f64)> = (frames.first..=frames.last).map(|frame| shape(&after, ball, frame)).collect();
    let lows: Vec<f64> = shapes.iter().map(|(at, _)| at.iter().map(|at| at.y).fold(f64::INFINITY, f64::min)).collect();
    let peaks: Vec<f64> = lows.windows(3).filter(|at| at[1] > at[0] && at[1] >= at[2]).map(|at| at[1]).collect();
    assert!(peaks.len() >= 2, "it bounces: {lows:?}");
    assert!(peaks[0] < 0.5 * lows[0] && peaks.windows(2).all(|pair| pair[1] < 0.5 * pair[0]), "ever less: {peaks:?}");
    assert!(lows.iter().all(|low| *low > -1e-6), "never below the ground: {lows:?}");
    let tall = |(at, _): &(Vec<Vec3>, f64)| {
        let heights = at.iter().map(|at| at.y);
        heights.clone().fold(f64::NEG_INFINITY, f64::max) - heights.fold(f64::INFINITY, f64::min)
    };
    let talls: Vec<f64> = shapes.iter().map(tall).collect();
    assert!(talls.iter().any(|tall| *tall < 0.7) && talls.iter().any(|tall| *tall > 1.2), "{talls:?}");
    for (_, volume) in &shapes {
        assert!((volume / shapes[0].1 - 1.0).abs() < 1e-6, "the volume stays: {volume} {}", shapes[0].1);
    }
    let along: Vec<f64> = shapes.iter().map(|(at, _)| middle(at).x).collect();
    let even = (along[along.len() - 1] - along[0]) / (along.len() - 1) as f64;
    assert!(even > 0.02, "it goes to the right: {along:?}");
    for pair in along.windows(2) {
        assert!((pair[1] - pair[0] - even).abs() < 1e-3 * even, "evenly: {along:?}");
    }
    person.done(20);
}

fn bend_the_torso_by_a_lattice_over_ten_frames(way: Way) {
    let Some(mut person) = Person::start("7_lattice", way) else { return };
    person.stop();
    let before = person.document();
    person.go_to(60);
    let chest = person.joint("chest");
    person.click_at(chest);
    person.command(CommandId::AddLattice);
    person.window.wait_for("the lattice", |window| window.find("Lattice point 4, 4, 4"));
    person.command(CommandId::SetKey);
    person.go_to(70);
    // The uppermost points, by a box about them.
    let view = person.window.get("3D view").bounds;
    let is_top = |node: &Node| {
        let name = node.label.strip_prefix("Lattice point ").and_then(|name| name.split(", ").nth(1));
        name == Some("4") && node.bounds[2] < view[2]
    };
    let top: Vec<[f64; 2]> = person.window.nodes().iter().filter(|node| is_top(node)).map(Node::centre).collect();
    assert_eq!(top.len(), 16);
    let least = |axis: usize| top.iter().map(|at| at[axis]).fold(f64::INFINITY, f64::min);
    let most = |axis: usize| top.iter().map(|at| at[axis]).fold(f64::NEG_INFINITY, f64::max);
    let corner = [least(0) - 30.0, least(1) - 12.0];
    person.drag(corner, [most(0) + 12.0 - corner[0], most(1) + 6.0 - corner[1]]);
    person.window.screenshot("task_7_lattice_chosen.png");
    person.drag(top[0], [40.0, 20.0]);
    let after = person.document();

    let body = mesh(&before);
    let moved = |frame| {
        let (was, is) = (shape(&before, body, frame).0, shape(&after, body, frame).0);
        was.iter().zip(&is).map(|(was, is)| (was - is).norm()).collect::<Vec<f64>>()
    };
    let most = |frame| moved(frame).into_iter().fold(0.0, f64::max);
    assert!(most(60) < 1e-9, "where it begins the lattice is at rest: {}", most(60));
    for frame in 61..=70 {
        assert!(most(frame) > most(frame - 1), "more and more: {} m at {frame}", most(frame));
    }
    assert!(most(70) > 0.03, "{} m", most(70));
    let still = moved(70).iter().filter(|by| **by == 0.0).count();
    assert!(2 * still > moved(70).len(), "what is not of the torso stays: {still} of {}", moved(70).len());
    person.done(12);
}
