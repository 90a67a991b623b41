import { expect, it } from 'vitest';
import { takesEncoding } from '#shared/http/content-encoding';

it.each(['br', 'gzip, BR', 'gzip ; q=0.5, br ; q=0.001', 'br;q=1.000'])(
  'compresses with Brotli for Accept-Encoding %j',
  (accepted) => {
    expect(takesEncoding('br', accepted)).toBe(true);
  },
);

it.each(['', 'gzip', '*', 'brotli', 'br;q=0', 'br;q=0.', 'br; q=0.0', 'gzip, br;Q=0.000'])(
  'does not compress with Brotli for Accept-Encoding %j',
  (accepted) => {
    expect(takesEncoding('br', accepted)).toBe(false);
  },
);
