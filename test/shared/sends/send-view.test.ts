import { expect, it } from 'vitest';
import type { Send } from '#shared/sending/send';
import { untrackedOf } from '#shared/sends/send-view';

it.each([
  [{}, undefined],
  [{ tracking: { clicks: true } }, undefined],
  [{ tracking: { clicks: false } }, { clicks: 'email' }],
  [{ untracked: { clicks: 'policy' } }, { clicks: 'policy' }],
  // The email's own setting wins.
  [{ tracking: { clicks: false }, untracked: { clicks: 'policy' } }, { clicks: 'email' }],
] satisfies [Pick<Send, 'tracking' | 'untracked'>, object | undefined][])(
  'the view of a send with %j shows clicks as untracked: %j',
  (send, untracked) => {
    expect(untrackedOf(send)).toEqual(untracked);
  },
);
