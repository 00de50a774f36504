//! Where everything stands from left to right: in its order, apart from its neighbours, and as straight below what leads
//! to it as that allows.

use super::layers::Layered;

/// Between two things of a layer.
const GAP: f64 = 22.0;
/// So often everything moves to where its neighbours are.
const ROUNDS: usize = 48;
/// So many of them look in one direction only, before both count.
const ONE_WAY: usize = 12;
/// A long arrow is straight rather than a box in the middle.
const STRAIGHT: f64 = 6.0;

/// The middle of each item.
pub(super) fn middles(layered: &Layered, boxes: usize) -> Vec<f64> {
    let mut middles = vec![0.0; layered.items.len()];
    for layer in &layered.layers {
        settle(layered, layer, &mut middles, &vec![Wish { middle: 0.0, weight: 1.0 }; layer.len()]);
    }
    for round in 0..ROUNDS {
        for step in 0..layered.layers.len() {
            let is_downwards = round % 2 == 0;
            let layer = if is_downwards { step } else { layered.layers.len() - 1 - step };
            let wish = |item: usize| {
                let (above, below) = (&layered.above[item], &layered.below[item]);
                let before_it = if is_downwards { above } else { below };
                let of = if round < ONE_WAY && !before_it.is_empty() {
                    before_it.clone()
                } else {
                    above.iter().chain(below).copied().collect()
                };
                wish(item, &of, &middles, boxes)
            };
            let layer = &layered.layers[layer];
            let wishes: Vec<Wish> = layer.iter().map(|item| wish(*item)).collect();
            settle(layered, layer, &mut middles, &wishes);
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

/// An item wants to stand in the middle of its neighbours. The line between two is as strong from either end: so
/// everything comes to rest.
fn wish(item: usize, neighbours: &[usize], middles: &[f64], boxes: usize) -> Wish {
    let (mut sum, mut weight) = (0.0, 0.0);
    for other in neighbours {
        let strength = if item < boxes || *other < boxes { 1.0 } else { STRAIGHT };
        sum += strength * middles[*other];
        weight += strength;
    }
    if weight > 0.0 {
        Wish { middle: sum / weight, weight }
    } else {
        Wish { middle: middles[item], weight: 1.0 }
    }
}

/// Those of a layer that stand side by side without a gap to spare: they move together.
struct Block {
    wish: Wish,
    count: usize,
}

/// Puts all of a layer as near as possible to where they want to be (least squares, with the least distances kept:
/// neighbours who want to pass each other are joined to a block that stands at the mean of their wishes).
fn settle(layered: &Layered, layer: &[usize], middles: &mut [f64], wishes: &[Wish]) {
    let mut blocks: Vec<Block> = Vec::new();
    let mut offsets = Vec::with_capacity(layer.len());
    let mut offset = 0.0;
    for (place, item) in layer.iter().enumerate() {
        if let Some(left) = place.checked_sub(1).map(|left| layer[left]) {
            offset += layered.items[left].right + GAP + layered.items[*item].left;
        }
        offsets.push(offset);
        let Wish { middle, weight } = wishes[place];
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
