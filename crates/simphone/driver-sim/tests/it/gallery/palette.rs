//! Writes PNG files with at most 256 colours.

use std::collections::HashMap;

/// Encodes a picture as PNG. Of more than 256 colours the most frequent are kept and the others are replaced by the
/// nearest of them.
pub(crate) fn png(width: usize, height: usize, pixels: &[[u8; 3]]) -> Vec<u8> {
    let mut counts: HashMap<[u8; 3], u32> = HashMap::new();
    for pixel in pixels {
        *counts.entry(*pixel).or_default() += 1;
    }
    let palette = palette(&counts);
    let mut places: HashMap<[u8; 3], u8> = HashMap::new();
    for color in counts.keys() {
        places.insert(*color, nearest(&palette, *color));
    }
    let indices: Vec<u8> = pixels.iter().map(|pixel| places[pixel]).collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width as u32, height as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.concat());
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header().expect("it works");
    writer.write_image_data(&indices).expect("it works");
    writer.finish().expect("it works");
    file
}

/// The most frequent colours and, for the rest, the most frequent colour of each region of the colour space, so that a
/// small picture on a large grey screen keeps its colours.
fn palette(counts: &HashMap<[u8; 3], u32>) -> Vec<[u8; 3]> {
    let mut colors: Vec<([u8; 3], u32)> = counts.iter().map(|(c, n)| (*c, *n)).collect();
    colors.sort_unstable_by_key(|(color, count)| (std::cmp::Reverse(*count), *color));
    let split = if colors.len() <= 256 { 256 } else { 128 };
    let rest = colors.split_off(split.min(colors.len()));
    let mut palette: Vec<[u8; 3]> = colors.into_iter().map(|(color, _)| color).collect();
    let mut regions: HashMap<[u8; 3], u32> = HashMap::new();
    let mut first: HashMap<[u8; 3], [u8; 3]> = HashMap::new();
    for (color, count) in &rest {
        let region = color.map(|part| part >> 5);
        *regions.entry(region).or_default() += count;
        first.entry(region).or_insert(*color);
    }
    let mut regions: Vec<_> = regions.into_iter().collect();
    regions.sort_unstable_by_key(|(region, count)| (std::cmp::Reverse(*count), *region));
    palette.extend(regions.iter().take(128).map(|(region, _)| first[region]));
    for (color, _) in rest {
        if palette.len() >= 256 {
            break;
        }
        if !palette.contains(&color) {
            palette.push(color);
        }
    }
    palette
}

fn nearest(palette: &[[u8; 3]], color: [u8; 3]) -> u8 {
    let apart = |other: &[u8; 3]| -> i32 {
        other
            .iter()
            .zip(color)
            .map(|(a, b)| (i32::from(*a) - i32::from(b)).pow(2))
            .sum()
    };
    let place = (0..palette.len()).min_by_key(|place| apart(&palette[*place]));
    place.unwrap_or(0) as u8
}
