//! Which box stands in which layer, and in which order those of a layer stand.

use super::layout::{Extent, Graph};

/// So often the order of all layers is improved.
const SWEEPS: usize = 10;

/// Boxes, labels and bends in layers, from the top.
pub(super) struct Layered {
    /// How much place each needs: first the boxes of the graph, then labels and bends.
    pub(super) items: Vec<Extent>,
    /// What stands in each layer, from the left.
    pub(super) layers: Vec<Vec<usize>>,
    /// The neighbours of each item in the layer above.
    pub(super) above: Vec<Vec<usize>>,
    /// The neighbours of each item in the layer below.
    pub(super) below: Vec<Vec<usize>>,
    /// The way of each arrow.
    pub(super) chains: Vec<Chain>,
}

/// The way of one arrow, from the box on top to the box below.
pub(super) struct Chain {
    /// What it goes through, the two boxes included.
    pub(super) items: Vec<usize>,
    /// Which of them is its label.
    pub(super) label: Option<usize>,
    /// Whether its head is on top.
    pub(super) is_turned: bool,
}

impl Layered {
    /// Puts a graph into layers.
    pub(super) fn of(graph: &Graph) -> Self {
        let turned = turned(graph);
        let ranks = ranks(graph, &turned);
        let mut layers = vec![Vec::new(); ranks.iter().max().map_or(0, |last| last + 1)];
        for (item, rank) in ranks.iter().enumerate() {
            layers[*rank].push(item);
        }
        let none = vec![Vec::new(); graph.boxes.len()];
        let mut layered =
            Self { items: graph.boxes.clone(), layers, above: none.clone(), below: none, chains: Vec::new() };
        for (number, is_turned) in turned.into_iter().enumerate() {
            layered.add_chain(graph, number, is_turned, &ranks);
        }
        layered.put_in_order();
        layered
    }

    fn add_chain(&mut self, graph: &Graph, number: usize, is_turned: bool, ranks: &[usize]) {
        let arrow = &graph.arrows[number];
        let (top, bottom) = if is_turned { (arrow.to, arrow.from) } else { (arrow.from, arrow.to) };
        let between = ranks[top] + 1..ranks[bottom];
        // A label stands beside the box that its arrow comes from.
        let label_rank = if is_turned { between.end.saturating_sub(1) } else { between.start };
        let mut chain = Chain { items: vec![top], label: None, is_turned };
        for rank in between {
            let item = self.items.len();
            let label = arrow.label.filter(|_| rank == label_rank);
            chain.label = chain.label.or(label.map(|_| item));
            self.items.push(label.unwrap_or_default());
            self.layers[rank].push(item);
            self.above.push(Vec::new());
            self.below.push(Vec::new());
            chain.items.push(item);
        }
        chain.items.push(bottom);
        for pair in chain.items.windows(2) {
            self.below[pair[0]].push(pair[1]);
            self.above[pair[1]].push(pair[0]);
        }
        self.chains.push(chain);
    }

    /// Chooses an order in which few arrows cross.
    fn put_in_order(&mut self) {
        let mut best = (self.crossings(), self.layers.clone());
        for sweep in 0..SWEEPS {
            let places = places(&self.layers, self.items.len());
            self.sweep(places, sweep % 2 == 0);
            self.swap_neighbours();
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.layers.clone());
            }
        }
        self.layers = best.1;
    }

    /// Orders each layer by where the neighbours stand in the layer before it.
    fn sweep(&mut self, mut places: Vec<f64>, is_downwards: bool) {
        let neighbours = if is_downwards { &self.above } else { &self.below };
        let count = self.layers.len();
        for step in 1..count {
            let layer = &mut self.layers[if is_downwards { step } else { count - 1 - step }];
            let wanted = |item: &usize| mean(&neighbours[*item], &places).unwrap_or(places[*item]);
            layer.sort_by(|one, other| wanted(one).total_cmp(&wanted(other)));
            for (place, item) in layer.iter().enumerate() {
                places[*item] = number(place);
            }
        }
    }

    /// Swaps those beside each other wherever fewer arrows cross then.
    fn swap_neighbours(&mut self) {
        let mut places = places(&self.layers, self.items.len());
        for layer in &mut self.layers {
            for left in 1..layer.len() {
                let (one, other) = (layer[left - 1], layer[left]);
                let now = crossed(one, other, [&self.above, &self.below], &places);
                if crossed(other, one, [&self.above, &self.below], &places) < now {
                    layer.swap(left - 1, left);
                    places.swap(one, other);
                }
            }
        }
    }

    /// How often arrows cross.
    fn crossings(&self) -> usize {
        let places = places(&self.layers, self.items.len());
        let of_layer = |layer: &Vec<usize>| -> usize {
            let pairs = layer
                .iter()
                .enumerate()
                .flat_map(|(place, one)| layer[place + 1..].iter().map(move |other| (*one, *other)));
            pairs.map(|(one, other)| crossed(one, other, [&self.below], &places)).sum()
        };
        self.layers.iter().map(of_layer).sum()
    }
}

/// How many arrows of these two cross if `left` stands left of `right`.
fn crossed<const SIDES: usize>(
    left: usize,
    right: usize,
    sides: [&Vec<Vec<usize>>; SIDES],
    places: &[f64],
) -> usize {
    let pairs = sides.iter().flat_map(|side| {
        side[left].iter().flat_map(move |one| side[right].iter().map(move |other| (*one, *other)))
    });
    pairs.filter(|(one, other)| places[*one] > places[*other]).count()
}

/// Which arrows lead back to where their way began: those are drawn upwards.
fn turned(graph: &Graph) -> Vec<bool> {
    let mut walk =
        Walk { graph, turned: vec![false; graph.arrows.len()], is_seen: Vec::new(), path: Vec::new() };
    walk.is_seen.resize(graph.boxes.len(), false);
    for start in 0..graph.boxes.len() {
        walk.visit(start);
    }
    walk.turned
}

struct Walk<'g> {
    graph: &'g Graph,
    turned: Vec<bool>,
    is_seen: Vec<bool>,
    path: Vec<usize>,
}

impl Walk<'_> {
    fn visit(&mut self, here: usize) {
        if std::mem::replace(&mut self.is_seen[here], true) {
            return;
        }
        self.path.push(here);
        let leaving = self.graph.arrows.iter().enumerate().filter(|(_, arrow)| arrow.from == here);
        for (number, arrow) in leaving {
            if self.path.contains(&arrow.to) {
                self.turned[number] = true;
            } else {
                self.visit(arrow.to);
            }
        }
        self.path.pop();
    }
}

/// The layer of each box: below all from which an arrow comes, with a layer for labels between.
fn ranks(graph: &Graph, turned: &[bool]) -> Vec<usize> {
    let ways: Vec<_> = graph
        .arrows
        .iter()
        .zip(turned)
        .map(|(arrow, is_turned)| {
            let length = if arrow.label.is_some() { 2 } else { 1 };
            if *is_turned { (arrow.to, arrow.from, length) } else { (arrow.from, arrow.to, length) }
        })
        .collect();
    let mut ranks = vec![0; graph.boxes.len()];
    // Nothing leads round in a circle any more, so this ends.
    while let Some((from, to, length)) =
        ways.iter().find(|(from, to, length)| ranks[*to] < ranks[*from] + length)
    {
        ranks[*to] = ranks[*from] + length;
    }
    // Where no arrow comes from above, a box stands close to the first one it leads to.
    for here in 0..ranks.len() {
        if ways.iter().any(|(_, to, _)| *to == here) {
            continue;
        }
        let below = ways.iter().filter(|(from, ..)| *from == here).map(|(_, to, length)| ranks[*to] - length);
        ranks[here] = below.min().unwrap_or(0);
    }
    ranks
}

/// The place of each item within its layer.
fn places(layers: &[Vec<usize>], items: usize) -> Vec<f64> {
    let mut places = vec![0.0; items];
    for layer in layers {
        for (place, item) in layer.iter().enumerate() {
            places[*item] = number(place);
        }
    }
    places
}

/// The mean of the values of these; nothing of none.
fn mean(of: &[usize], values: &[f64]) -> Option<f64> {
    (!of.is_empty()).then(|| of.iter().map(|item| values[*item]).sum::<f64>() / number(of.len()))
}

/// A small count.
pub(super) fn number(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}
