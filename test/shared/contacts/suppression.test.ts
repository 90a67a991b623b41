import { describe, expect, it } from 'vitest';
import { isSuppressingBounce } from '#shared/contacts/suppression';

describe('isSuppressingBounce', () => {
  it.each([
    { bounceType: 'Permanent', isSuppressing: true },
    { bounceType: 'Transient', isSuppressing: false },
    { bounceType: 'Undetermined', isSuppressing: false },
  ])('suppresses the address only if the bounce is permanent: $bounceType', (bounce) => {
    expect(isSuppressingBounce(bounce.bounceType)).toBe(bounce.isSuppressing);
  });
});
