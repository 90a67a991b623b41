import { expect, it } from 'vitest';
import type { Send } from '#shared/sending/send';
import { untrackedOf } from '#shared/sends/send-view';

it.each([
  [{}, undefined],
  [{ tracking: { clicks: true } }, undefined],
  [{ tracking: { clicks: false } }, { clicks: 'email' }],
  [{ untracked: { clicks: 'policy' } }, { clicks: 'policy' }],
  // What the email says counts.
  [{ tracking: { clicks: false }, untracked: { clicks: 'policy' } }, { clicks: 'email' }],
] satisfies [Pick<Send, 'tracking' | 'untracked'>, object | undefined][])(
  'clicks in the view of a send with %j are untracked as %j says',
  (send, untracked) => {
    expect(untrackedOf(send)).toEqual(untracked);
  },
);
