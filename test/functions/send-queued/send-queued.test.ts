import { expect, it } from 'vitest';
import { newNonce, newOrganizationId, slotIdOf } from '#shared/tokens/resource-id';
import { sendQueued } from '../../../functions/send-queued/send-queued.ts';

it('gives back to the queue only what could not be attempted, and what names no send', async () => {
  const owner = newOrganizationId();
  const slots = [slotIdOf(owner, newNonce()), slotIdOf(owner, newNonce())];
  const messages = [
    ...slots.map((slotId, index) => ({ messageId: `m${index}`, body: JSON.stringify({ slotId }) })),
    { messageId: 'm2', body: '{}' },
    { messageId: 'm3', body: 'no JSON' },
  ];
  const attempted: string[] = [];
  const reported: string[] = [];

  const failed = await sendQueued(
    messages,
    async (slotId) => {
      attempted.push(slotId);
      if (slotId === slots[1]) throw new Error('the table is down');
    },
    (messageId) => reported.push(messageId),
  );

  expect(attempted).toEqual(slots);
  expect(failed).toEqual(['m1', 'm2', 'm3']);
  expect(reported.toSorted()).toEqual(failed);
});
