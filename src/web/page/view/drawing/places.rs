//! Where everything stands from left to right: in its order, apart from its neighbours, and as straight below what leads
//! to it as that allows.

use super::layers::{Layered, mean, number};

/// Between two things of a layer.
const GAP: f64 = 22.0;
/// So often everything moves to where its neighbours are.
const ROUNDS: usize = 24;
/// A long arrow is straight rather than a box in the middle.
const STRAIGHT: f64 = 6.0;

/// The middle of each item.
pub(super) fn middles(layered: &Layered, boxes: usize) -> Vec<f64> {
    let mut middles = vec![0.0; layered.items.len()];
    for layer in &layered.layers {
        settle(layered, layer, &mut middles, |_| Wish { middle: 0.0, weight: 1.0 });
    }
    for round in 0..ROUNDS {
        let is_last = round + 2 >= ROUNDS;
        let before = middles.clone();
        for step in 0..layered.layers.len() {
            let is_downwards = round % 2 == 0;
            let layer = if is_downwards { step } else { layered.layers.len() - 1 - step };
            let known = middles.clone();
            settle(layered, &layered.layers[layer], &mut middles, |item| {
                let (above, below) = (&layered.above[item], &layered.below[item]);
                let before_it = if is_downwards { above } else { below };
                let both: Vec<usize> = above.iter().chain(below).copied().collect();
                let of = if is_last { &both } else { before_it };
                let middle = mean(of, &known).or_else(|| mean(&both, &known)).unwrap_or(before[item]);
                let weight = if item < boxes { 1.0 } else { STRAIGHT };
                Wish { middle, weight: weight * number(of.len().max(1)) }
            });
        }
    }
    middles
}

/// Where something wants to stand, and how much.
#[derive(Clone, Copy)]
struct Wish {
    middle: f64,
    weight: f64,
}

/// Those of a layer that stand side by side without a gap to spare: they move together.
struct Block {
    wish: Wish,
    count: usize,
}

/// Puts all of a layer as near as possible to where they want to be (least squares, with the least distances kept:
/// neighbours who want to pass each other are joined to a block that stands at the mean of their wishes).
fn settle(layered: &Layered, layer: &[usize], middles: &mut [f64], wish: impl Fn(usize) -> Wish) {
    let mut blocks: Vec<Block> = Vec::new();
    let mut offsets = Vec::with_capacity(layer.len());
    let mut offset = 0.0;
    for (place, item) in layer.iter().enumerate() {
        if let Some(left) = place.checked_sub(1).map(|left| layer[left]) {
            offset += layered.items[left].right + GAP + layered.items[*item].left;
        }
        offsets.push(offset);
        let Wish { middle, weight } = wish(*item);
        let mut block = Block { wish: Wish { middle: middle - offset, weight }, count: 1 };
        while let Some(before) = blocks.pop_if(|before| before.wish.middle > block.wish.middle) {
            let weight = before.wish.weight + block.wish.weight;
            let sum = before.wish.middle * before.wish.weight + block.wish.middle * block.wish.weight;
            block = Block { wish: Wish { middle: sum / weight, weight }, count: before.count + block.count };
        }
        blocks.push(block);
    }
    let settled = blocks.iter().flat_map(|block| std::iter::repeat_n(block.wish.middle, block.count));
    for ((item, offset), middle) in layer.iter().zip(offsets).zip(settled) {
        middles[*item] = middle + offset;
    }
}
