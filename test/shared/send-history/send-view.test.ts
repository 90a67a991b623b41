import { expect, it } from 'vitest';
import { untrackedOf } from '#shared/send-history/send-view';
import type { Send } from '#shared/sending/send';

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
