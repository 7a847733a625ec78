//! A value for each token of a text: inline for a message, on the heap only for a long text.

/// Number of tokens whose values are stored without the heap.
const INLINE: usize = 64;

/// A value for each token of a text.
pub(super) struct PerToken<T> {
    inline: [T; INLINE],
    heap: Vec<T>,
    length: usize,
}

impl<T: Copy> PerToken<T> {
    /// The same value for each of `length` tokens.
    #[inline]
    pub(super) fn new(value: T, length: usize) -> Self {
        let heap = if length > INLINE { vec![value; length] } else { Vec::new() };
        Self { inline: [value; INLINE], heap, length }
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[T] {
        self.inline.get(..self.length).unwrap_or(&self.heap)
    }

    #[inline]
    pub(super) fn as_mut_slice(&mut self) -> &mut [T] {
        if self.length > INLINE { &mut self.heap } else { &mut self.inline[..self.length] }
    }
}
