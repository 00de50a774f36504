//! A state machine as a drawing: boxes and arrows of SVG, all of it made here. What is told by colour is told by lines
//! and words, too; and a [`Ways`] table beside it says the same for who does not see it.

mod layers;
mod layout;
mod places;
mod routes;
mod text;

use std::collections::BTreeMap;

use askama::Template;

use layout::{Arrow, Extent, Graph, Point, lay_out};
use text::{clipped, width};

/// So many states can be drawn that one still reads them.
const STATES: usize = 36;
/// So many arrows.
const ARROWS: usize = 80;
/// So many actions stand beside one arrow; the rest are counted.
const LINES: usize = 4;
/// The size of the letters of names and of labels.
const NAME: f64 = 15.0;
const LABEL: f64 = 13.0;
/// From one line of a label to the next.
const LINE: f64 = 17.0;
/// Between a name and the edge of its box.
const PADDING: f64 = 16.0;
/// A drawing that is larger does not fit into its frame on most screens.
const FRAME: f64 = 680.0;
/// How far an arrow from a box to itself goes aside.
const LOOP: f64 = 30.0;

/// What is drawn.
#[derive(Clone, Debug, Default)]
pub(in crate::web) struct Sketch {
    /// The states.
    pub(in crate::web) states: Vec<SketchState>,
    /// The ways between them.
    pub(in crate::web) ways: Vec<SketchWay>,
    /// Where the machine begins.
    pub(in crate::web) first: usize,
}

/// A state of a sketch.
#[derive(Clone, Debug, Default)]
pub(in crate::web) struct SketchState {
    /// Its name.
    pub(in crate::web) name: String,
    /// The states around it.
    pub(in crate::web) around: Option<String>,
    /// Whether the puzzle is in it.
    pub(in crate::web) is_current: bool,
    /// Whether it is an end.
    pub(in crate::web) is_final: bool,
    /// Whether it is only the way back to another one.
    pub(in crate::web) is_history: bool,
}

/// A way of a sketch.
#[derive(Clone, Debug)]
pub(in crate::web) struct SketchWay {
    /// The state that it leaves.
    pub(in crate::web) from: usize,
    /// The state that it leads to.
    pub(in crate::web) to: usize,
    /// What takes it.
    pub(in crate::web) label: String,
}

/// A machine as a drawing. Its element is `#machine`.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "machine.html")]
pub(in crate::web) struct Drawing {
    width: f64,
    height: f64,
    boxes: Vec<StateBox>,
    lines: Vec<Line>,
    labels: Vec<Label>,
    start: Point,
    /// What a screen reader says of it.
    sentence: String,
}

#[derive(Clone, Debug)]
struct StateBox {
    state: SketchState,
    corner: Point,
    width: f64,
    height: f64,
    middle: f64,
    base: f64,
}

#[derive(Clone, Debug)]
struct Line {
    path: String,
    head: String,
}

#[derive(Clone, Debug)]
struct Label {
    corner: Point,
    width: f64,
    height: f64,
    /// Each with where it begins.
    words: Vec<(Point, String)>,
    is_middle: bool,
}

impl Drawing {
    /// Whether so many states can be drawn that one still reads them.
    pub(in crate::web) fn has_place_for(states: usize) -> bool {
        states <= STATES
    }

    /// Draws a machine; nothing, if there is too much to see.
    pub(in crate::web) fn of(sketch: &Sketch) -> Option<Self> {
        let arrows = arrows(sketch);
        let is_seen = (1..=STATES).contains(&sketch.states.len()) && arrows.len() <= ARROWS;
        is_seen.then(|| draw(sketch, &arrows))
    }

    /// Whether it does not fit into its frame on most screens.
    pub(in crate::web) fn is_wide(&self) -> bool {
        self.width > FRAME || self.height > FRAME
    }
}

/// What stands beside the arrows from one state to another.
fn arrows(sketch: &Sketch) -> Vec<((usize, usize), Vec<String>)> {
    let mut arrows: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
    for way in &sketch.ways {
        let words = arrows.entry((way.from, way.to)).or_default();
        let label = clipped(&way.label);
        if !words.contains(&label) {
            words.push(label);
        }
    }
    for words in arrows.values_mut().filter(|words| words.len() > LINES) {
        let more = words.len() - (LINES - 1);
        words.truncate(LINES - 1);
        words.push(format!("and {more} more"));
    }
    arrows.into_iter().collect()
}

fn draw(sketch: &Sketch, arrows: &[((usize, usize), Vec<String>)]) -> Drawing {
    let sizes: Vec<_> = sketch.states.iter().map(size).collect();
    let mut graph = Graph::default();
    // The mark of the beginning is the first box, so that it stands on top.
    graph.boxes.push(Extent { left: 6.0, right: 6.0, height: 12.0 });
    graph.boxes.extend(sizes.iter().map(|size| Extent {
        left: size.x / 2.0,
        right: size.x / 2.0,
        height: size.y,
    }));
    graph.arrows.push(Arrow { from: 0, to: sketch.first + 1, label: None });
    for ((from, to), words) in arrows {
        let words = block(words);
        if from == to {
            let own = &mut graph.boxes[from + 1];
            own.right += LOOP + words.x;
            own.height = own.height.max(words.y);
        } else {
            let half = words.x / 2.0;
            let label = Some(Extent { left: half, right: half, height: words.y });
            graph.arrows.push(Arrow { from: from + 1, to: to + 1, label });
        }
    }
    let layout = lay_out(&graph);
    let mut drawing = Drawing {
        width: layout.width,
        height: layout.height,
        start: layout.boxes[0],
        sentence: sentence(sketch),
        ..Drawing::default()
    };
    for (number, (state, size)) in sketch.states.iter().zip(&sizes).enumerate() {
        drawing.boxes.push(drawn(state, *size, layout.boxes[number + 1]));
    }
    let mut routes = layout.arrows.iter();
    drawing.lines.extend(routes.next().map(routes::line));
    for ((from, to), words) in arrows {
        if from == to {
            let middle = layout.boxes[from + 1];
            let edge = Point { x: middle.x + sizes[*from].x / 2.0, y: middle.y };
            drawing.lines.push(routes::own(edge, LOOP));
            drawing.labels.push(beside(words, Point { x: edge.x + LOOP, y: middle.y }));
        } else if let Some(route) = routes.next() {
            drawing.lines.push(routes::line(route));
            drawing.labels.extend(route.label.map(|middle| on(words, middle)));
        }
    }
    drawing
}

/// How large a box is.
fn size(state: &SketchState) -> Point {
    let around = state.around.as_deref().map_or(0.0, |around| width(&clipped(around), LABEL));
    let name = width(&clipped(&state.name), NAME);
    let height = if state.around.is_some() { 56.0 } else { 40.0 };
    Point { x: (name.max(around) + 2.0 * PADDING).ceil().max(72.0), y: height }
}

/// How large the words beside an arrow are.
fn block(words: &[String]) -> Point {
    let widest = words.iter().map(|words| width(words, LABEL)).fold(0.0, f64::max);
    Point { x: widest.ceil() + 10.0, y: LINE * layers::number(words.len()) + 4.0 }
}

fn drawn(state: &SketchState, size: Point, middle: Point) -> StateBox {
    let state = SketchState {
        name: clipped(&state.name),
        around: state.around.as_deref().map(clipped),
        ..state.clone()
    };
    let corner = Point { x: middle.x - size.x / 2.0, y: middle.y - size.y / 2.0 };
    let base = if state.around.is_some() { middle.y + 14.0 } else { middle.y + 5.0 };
    StateBox { state, corner, width: size.x, height: size.y, middle: middle.x, base }
}

/// Words in the middle of an arrow.
fn on(words: &[String], middle: Point) -> Label {
    let size = block(words);
    let corner = Point { x: middle.x - size.x / 2.0, y: middle.y - size.y / 2.0 };
    Label {
        words: lines(words, Point { x: middle.x, y: corner.y }),
        corner,
        width: size.x,
        height: size.y,
        is_middle: true,
    }
}

/// Words at the right of an arrow.
fn beside(words: &[String], edge: Point) -> Label {
    let size = block(words);
    let corner = Point { x: edge.x, y: edge.y - size.y / 2.0 };
    let start = Point { x: corner.x + 3.0, y: corner.y };
    Label { words: lines(words, start), corner, width: size.x, height: size.y, is_middle: false }
}

fn lines(words: &[String], top: Point) -> Vec<(Point, String)> {
    let place = |line: usize| Point { x: top.x, y: top.y + LINE * layers::number(line) + 15.0 };
    words.iter().enumerate().map(|(line, words)| (place(line), words.clone())).collect()
}

fn sentence(sketch: &Sketch) -> String {
    let current = sketch.states.iter().find(|state| state.is_current);
    let now = current.map(|state| format!("; it is in {} now", state.name)).unwrap_or_default();
    format!("A machine with {} states{now}", sketch.states.len())
}

#[cfg(test)]
mod tests;
