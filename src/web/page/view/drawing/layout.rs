//! Where the boxes and the arrows of a drawing lie: in layers, arrows downwards wherever they can be.
//!
//! The known steps: arrows that lead back are turned round, every box gets a layer, each layer an order in which few
//! arrows cross, and everything a place. An arrow bends in each layer that it passes, and its label has a place as a
//! box has: so nothing lies over anything else.

use super::layers::{Chain, Layered, number};
use super::places::middles;

/// Between two layers.
const GAP: f64 = 28.0;
/// Around everything.
const MARGIN: f64 = 10.0;
/// Between two arrows at the same side of a box, at most.
const PORTS: f64 = 26.0;
/// So much of the side of a box is for arrows.
const SIDE: f64 = 0.8;

/// How much place something needs around its middle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Extent {
    /// To the left.
    pub(super) left: f64,
    /// To the right.
    pub(super) right: f64,
    /// From top to bottom.
    pub(super) height: f64,
}

/// What is laid out.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    /// The first of them stands on top.
    pub(super) boxes: Vec<Extent>,
    /// Between two different boxes.
    pub(super) arrows: Vec<Arrow>,
}

/// An arrow from one box to another.
#[derive(Clone, Debug)]
pub(super) struct Arrow {
    pub(super) from: usize,
    pub(super) to: usize,
    /// How much place its label needs.
    pub(super) label: Option<Extent>,
}

/// A place in the drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// Where everything lies.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    /// The middle of each box.
    pub(super) boxes: Vec<Point>,
    /// The way of each arrow.
    pub(super) arrows: Vec<Route>,
}

/// The way of an arrow.
#[derive(Clone, Debug, Default)]
pub(super) struct Route {
    /// From the top to the bottom; between the first and the second it may lead aside, from the second to the third it
    /// is straight, and so on.
    pub(super) points: Vec<Point>,
    /// Whether its head is on top.
    pub(super) is_turned: bool,
    /// The middle of its label.
    pub(super) label: Option<Point>,
}

/// Lays out a graph.
pub(super) fn lay_out(graph: &Graph) -> Layout {
    let layered = Layered::of(graph);
    let mut middles = middles(&layered, graph.boxes.len());
    let left = layered.items.iter().zip(&middles).map(|(item, middle)| middle - item.left);
    let left = left.fold(f64::MAX, f64::min);
    for middle in &mut middles {
        *middle = snapped(*middle - left + MARGIN);
    }
    let right = layered.items.iter().zip(&middles).map(|(item, middle)| middle + item.right);
    let (bands, height) = bands(&layered);
    let places = Places { layered: &layered, middles: &middles, bands: &bands };
    Layout {
        width: right.fold(0.0, f64::max).ceil() + MARGIN,
        height,
        boxes: (0..graph.boxes.len()).map(|item| places.middle(item)).collect(),
        arrows: layered.chains.iter().map(|chain| places.route(chain)).collect(),
    }
}

/// Top and bottom of a layer.
#[derive(Clone, Copy, Debug, Default)]
struct Band {
    top: f64,
    bottom: f64,
}

/// The layer of each item, and how high all is.
fn bands(layered: &Layered) -> (Vec<Band>, f64) {
    let mut bands = vec![Band::default(); layered.items.len()];
    let mut top = MARGIN;
    for layer in &layered.layers {
        let height = layer.iter().map(|item| layered.items[*item].height).fold(0.0, f64::max);
        for item in layer {
            bands[*item] = Band { top, bottom: top + height };
        }
        top += height + GAP;
    }
    (bands, top - GAP + MARGIN)
}

struct Places<'l> {
    layered: &'l Layered,
    middles: &'l [f64],
    bands: &'l [Band],
}

impl Places<'_> {
    fn middle(&self, item: usize) -> Point {
        let Band { top, bottom } = self.bands[item];
        Point { x: self.middles[item], y: snapped(f64::midpoint(top, bottom)) }
    }

    fn route(&self, chain: &Chain) -> Route {
        let (first, last) = (chain.items[0], chain.items[chain.items.len() - 1]);
        let mut points = vec![self.port(first, &self.layered.below[first], chain.items[1])];
        for item in &chain.items[1..chain.items.len() - 1] {
            let (x, Band { top, bottom }) = (self.middles[*item], self.bands[*item]);
            points.extend([Point { x, y: top }, Point { x, y: bottom }]);
        }
        points.push(self.port(last, &self.layered.above[last], chain.items[chain.items.len() - 2]));
        Route { points, is_turned: chain.is_turned, label: chain.label.map(|label| self.middle(label)) }
    }

    /// Where the arrow that leads to `next` touches a box: in the order of all that touch it at that side.
    fn port(&self, item: usize, others: &[usize], next: usize) -> Point {
        let mut order = others.to_vec();
        order.sort_by(|one, other| self.middles[*one].total_cmp(&self.middles[*other]));
        let place = number(order.iter().position(|other| *other == next).unwrap_or(0));
        let extent = self.layered.items[item];
        let step = (2.0 * extent.left * SIDE / number(order.len().max(1))).min(PORTS);
        let Point { x, y } = self.middle(item);
        let is_below = self.bands[next].top > self.bands[item].top;
        let half = extent.height / 2.0;
        let x = x + (place - number(order.len().saturating_sub(1)) / 2.0) * step;
        Point { x: snapped(x), y: if is_below { y + half } else { y - half } }
    }
}

/// Half pixels: shorter to write, and sharper.
fn snapped(value: f64) -> f64 {
    (value * 2.0).round() / 2.0
}
