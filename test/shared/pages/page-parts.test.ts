import { describe, expect, it } from 'vitest';
import { maskAddress } from '#shared/pages/page-parts';

describe('maskAddress', () => {
  it.each([
    { email: 'ann.smith@example.com', masked: 'a***@example.com' },
    { email: 'a@example.com', masked: 'a***@example.com' },
    { email: '"a@b"@example.com', masked: '"***@example.com' },
    { email: '🦊fox@example.com', masked: '🦊***@example.com' },
  ])('shows the first character and the domain of $email', ({ email, masked }) => {
    expect(maskAddress(email)).toBe(masked);
  });

  it.each(['', 'ann', '@example.com'])('shows nothing of "%s", which is no address', (text) => {
    expect(maskAddress(text)).toBe('***');
  });
});
