//! Arbitrary rings and boxes. Outlines are refused, or their parts have the area of the outline
//! less the area of its holes. Boxes are merged to outlines with the area of their union.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use widephase::{
    Error,
    shape::{Aabb, Compound, Outline, Part},
};

#[derive(Debug, Arbitrary)]
struct Input {
    /// Small whole numbers, so that much touches. The first ring is the outline.
    rings: Vec<Vec<[i8; 2]>>,
    /// Halves the numbers of the rings this often.
    finer: u8,
    /// Any numbers.
    wild: Vec<Vec<[f32; 2]>>,
    /// Corners and sizes.
    boxes: Vec<[u8; 4]>,
}

fn from_rings(rings: &[Vec<[f32; 2]>]) -> Result<Compound, Error> {
    let lent: Vec<&[[f32; 2]]> = rings.iter().map(Vec::as_slice).collect();
    match lent.split_first() {
        Some((outline, holes)) => Compound::from_outline(outline, holes),
        None => Compound::from_outline::<[f32; 2]>(&[], &[]),
    }
}

/// Twice the area, above 0 if the ring is counter-clockwise.
fn twice_area<V: Copy + Into<[f32; 2]>>(ring: &[V]) -> f64 {
    let wide = |at: &V| -> [f64; 2] { (*at).into().map(f64::from) };
    let next = ring.iter().cycle().skip(1);
    ring.iter()
        .zip(next)
        .map(|(a, b)| (wide(a), wide(b)))
        .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
        .sum()
}

fn twice_area_of(compound: &Compound) -> f64 {
    let area = |part: &Part| match part {
        Part::Polygon(polygon) => twice_area(polygon.vertices()),
        other => panic!("{other:?}"),
    };
    compound.parts().iter().map(area).sum()
}

fuzz_target!(|input: Input| {
    let shift = input.finer % 7;
    let at = |vertex: &[i8; 2]| vertex.map(|value| f32::from(value >> shift));
    let rings: Vec<Vec<[f32; 2]>> =
        input.rings.iter().take(6).map(|ring| ring.iter().take(40).map(at).collect()).collect();
    if let Ok(compound) = from_rings(&rings) {
        let areas = rings.iter().map(|ring| twice_area(ring).abs());
        let signed = areas.enumerate().map(|(ring, area)| if ring == 0 { area } else { -area });
        assert_eq!(twice_area_of(&compound), signed.sum::<f64>());
    }
    let _ = from_rings(&input.wild);

    let boxes: Vec<[u16; 4]> = input
        .boxes
        .iter()
        .take(60)
        .map(|[x, y, w, h]| [x, y, w, h].map(|value| u16::from(value % 16)))
        .map(|[x, y, w, h]| [x, y, x + w, y + h])
        .collect();
    let covered = |x: u16, y: u16| {
        boxes.iter().any(|[left, lower, right, upper]| {
            (*left..*right).contains(&x) && (*lower..*upper).contains(&y)
        })
    };
    let cells = (0..32).flat_map(|x| (0..32).map(move |y| (x, y)));
    let count = cells.filter(|&(x, y)| covered(x, y)).count();
    let shapes: Vec<Aabb> = boxes
        .iter()
        .map(|sides| sides.map(f32::from))
        .map(|[left, lower, right, upper]| Aabb::new([left, lower], [right, upper]))
        .collect();
    let outlines = Outline::merge_boxes(&shapes).expect("valid boxes");
    let mut sum = 0.0;
    for outline in &outlines {
        outline.chains().expect("valid rings");
        let own: f64 = outline.rings().map(twice_area).sum();
        assert_eq!(twice_area_of(&outline.compound().expect("a valid outline")), own);
        sum += own;
    }
    assert_eq!(sum, 2.0 * count as f64);
});
