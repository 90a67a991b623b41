import { expect, it } from 'vitest';
import { toListedEvent } from '#shared/resend/webhook-events';
import { buildDelivery } from '../webhooks/webhook-builder.ts';

it.each([
  ['pending', { status: 'pending', attemptsStarted: 0 }],
  ['attempting', { status: 'pending', attemptsStarted: 1 }],
  ['attempting', { status: 'pending', attemptsStarted: 2 }],
  ['success', { status: 'delivered', attemptsStarted: 1 }],
  ['failed', { status: 'failed', attemptsStarted: 1 }],
] as const)('an event is %s in Resend’s words when its delivery has %o', (status, delivery) => {
  expect(toListedEvent(buildDelivery(delivery)).status).toBe(status);
});
