//! What a drawing must keep: everything has its place, arrows lead downwards where they can, and names stay names.

use super::layers::number;
use super::layout::{Layout, lay_out};
use super::*;

const HEIGHT: f64 = 40.0;

/// A graph of boxes of one size, and arrows with labels.
fn graph(boxes: usize, arrows: &[(usize, usize)]) -> Graph {
    let label = Some(Extent { left: 30.0, right: 30.0, height: 20.0 });
    Graph {
        boxes: vec![Extent { left: 50.0, right: 50.0, height: HEIGHT }; boxes],
        arrows: arrows.iter().map(|(from, to)| Arrow { from: *from, to: *to, label }).collect(),
    }
}

/// A machine with this many states that goes on, back, and across.
fn busy(states: usize) -> Vec<(usize, usize)> {
    let steps = (1..states).map(|to| (to - 1, to));
    let back = (2..states).step_by(3).map(|from| (from, from / 2));
    let across = (0..states.saturating_sub(5)).step_by(4).map(|from| (from, from + 5));
    steps.chain(back).chain(across).collect()
}

/// The rectangles of boxes and labels.
fn rectangles(graph: &Graph, layout: &Layout) -> Vec<[f64; 4]> {
    let boxes = graph.boxes.iter().zip(&layout.boxes).map(|(extent, middle)| (*extent, *middle));
    let labels = graph.arrows.iter().zip(&layout.arrows);
    let labels = labels.filter_map(|(arrow, route)| Some((arrow.label?, route.label?)));
    let all = boxes.chain(labels);
    all.map(|(extent, middle)| {
        let half = extent.height / 2.0;
        [middle.x - extent.left, middle.y - half, middle.x + extent.right, middle.y + half]
    })
    .collect()
}

#[test]
fn nothing_lies_over_anything_else() {
    for states in [1, 2, 3, 5, 8, 13, 21, 30, 36] {
        let graph = graph(states, &busy(states));
        let layout = lay_out(&graph);
        let all = rectangles(&graph, &layout);
        for (number, one) in all.iter().enumerate() {
            let is_inside =
                one[0] >= 0.0 && one[1] >= 0.0 && one[2] <= layout.width && one[3] <= layout.height;
            assert!(is_inside, "{states} states: {one:?} is outside");
            for other in &all[number + 1..] {
                let is_apart =
                    one[2] <= other[0] || other[2] <= one[0] || one[3] <= other[1] || other[3] <= one[1];
                assert!(is_apart, "{states} states: {one:?} lies over {other:?}");
            }
        }
    }
}

#[test]
fn arrows_lead_downwards_but_those_that_lead_back() {
    let graph = graph(4, &[(0, 1), (1, 2), (2, 0), (2, 3), (1, 3)]);
    let layout = lay_out(&graph);
    let turned: Vec<_> = layout.arrows.iter().map(|route| route.is_turned).collect();
    assert_eq!(turned, [false, false, true, false, false]);
    assert!(layout.boxes.windows(2).all(|pair| pair[0].y < pair[1].y), "{:?}", layout.boxes);
    for (arrow, route) in graph.arrows.iter().zip(&layout.arrows) {
        let (first, last) = (route.points[0], route.points[route.points.len() - 1]);
        let (top, bottom) = if route.is_turned { (arrow.to, arrow.from) } else { (arrow.from, arrow.to) };
        assert!((first.y - (layout.boxes[top].y + HEIGHT / 2.0)).abs() < 0.1, "it leaves the box");
        assert!((last.y - (layout.boxes[bottom].y - HEIGHT / 2.0)).abs() < 0.1, "it reaches the box");
        assert!(route.points.windows(2).all(|pair| pair[0].y <= pair[1].y), "it never turns");
    }
}

#[test]
fn a_chain_is_straight_and_a_fork_is_even() {
    let chain = lay_out(&graph(5, &[(0, 1), (1, 2), (2, 3), (3, 4)]));
    assert!(chain.boxes.iter().all(|middle| (middle.x - chain.boxes[0].x).abs() < 1.0), "{:?}", chain.boxes);
    let fork = lay_out(&graph(3, &[(0, 1), (0, 2)]));
    let middle = f64::midpoint(fork.boxes[1].x, fork.boxes[2].x);
    assert!((fork.boxes[0].x - middle).abs() < 1.0, "{:?}", fork.boxes);
}

#[test]
fn arrows_that_need_not_cross_do_not() {
    // Written in an order that would cross them.
    let layout = lay_out(&graph(5, &[(0, 1), (0, 2), (2, 3), (1, 4)]));
    let [_, one, two, three, four] = layout.boxes[..] else { panic!("five boxes") };
    assert_eq!(one.x < two.x, four.x < three.x, "{:?}", layout.boxes);
}

fn sketch(names: &[&str], ways: &[(usize, usize, &str)]) -> Sketch {
    let state = |name: &&str| SketchState { name: (*name).to_owned(), ..SketchState::default() };
    let way = |(from, to, label): &(usize, usize, &str)| SketchWay {
        from: *from,
        to: *to,
        label: (*label).to_owned(),
    };
    Sketch { states: names.iter().map(state).collect(), ways: ways.iter().map(way).collect(), first: 0 }
}

#[test]
fn a_small_machine_looks_like_this() {
    let mut sketch = sketch(
        &["draft", "review", "done"],
        &[(0, 1, "submit"), (1, 2, "approve [guard]"), (1, 0, "reject"), (1, 1, "comment"), (0, 1, "hurry")],
    );
    sketch.states[1].is_current = true;
    sketch.states[1].around = Some("work".to_owned());
    sketch.states[2].is_final = true;
    let drawing = Drawing::of(&sketch).expect("it is small").render().expect("a drawing");
    insta::assert_snapshot!(drawing);
}

#[test]
fn names_stay_names() {
    let hostile = "</text></svg><script>alert(1)</script>";
    let drawing =
        Drawing::of(&sketch(&[hostile, "b"], &[(0, 1, hostile), (0, 0, hostile)])).expect("it is small");
    let drawing = drawing.render().expect("a drawing");
    assert!(!drawing.contains("<script") && drawing.matches("</svg>").count() == 1, "{drawing}");
}

#[test]
fn what_is_too_much_to_see_is_not_drawn() {
    let names = vec!["state"; STATES + 1];
    assert!(Drawing::of(&sketch(&names, &[])).is_none());
    assert!(Drawing::of(&sketch(&names[1..], &[])).is_some());
    let all: Vec<_> = (0..10).flat_map(|from| (0..10).map(move |to| (from, to, "go"))).collect();
    assert!(Drawing::of(&sketch(&names[..10], &all)).is_none());
    let many: Vec<_> = (0..9).map(|way| format!("way{way}")).collect();
    let many: Vec<_> = many.iter().map(|way| (0, 1, way.as_str())).collect();
    let drawing = Drawing::of(&sketch(&["a", "b"], &many)).expect("it is small").render().expect("a drawing");
    assert!(drawing.contains(">way2<") && !drawing.contains(">way3<") && drawing.contains(">and 6 more<"));
    assert!((number(3) - 3.0).abs() < f64::EPSILON);
}
