//! Longest increasing subsequence.

/// Which of these numbers are in a longest increasing subsequence.
pub(crate) fn longest_increasing_subsequence(numbers: &[usize]) -> Vec<bool> {
    // The index of the smallest last number for each length, and the index of the number before each one.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    for (at, number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|end| numbers[*end] < *number);
        previous.push(length.checked_sub(1).map(|before| ends[before]));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut is_part = vec![false; numbers.len()];
    let mut next = ends.last().copied();
    while let Some(at) = next {
        is_part[at] = true;
        next = previous[at];
    }
    is_part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_order_are_excluded() {
        for (numbers, expected) in [
            (vec![], vec![]),
            (vec![1, 2, 0, 3], vec![true, true, false, true]),
            (vec![3, 0, 1, 2], vec![false, true, true, true]),
            (vec![2, 1], vec![false, true]),
        ] {
            assert_eq!(
                longest_increasing_subsequence(&numbers),
                expected,
                "{numbers:?}"
            );
        }
    }
}
