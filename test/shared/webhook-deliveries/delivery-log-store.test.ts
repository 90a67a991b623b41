import { expect, it } from 'vitest';
import { logPositionOf, logPositionSchema } from '#shared/webhook-deliveries/delivery-log-store';
import { buildDelivery } from '../webhooks/webhook-builder.ts';

const delivery = buildDelivery();
const position = logPositionOf(delivery);

it.each([
  ['nothing', ''],
  ['the end of every text', '~'],
  ['no time', position.slice(position.indexOf('#'))],
  ['a whole id', `001750000000000#${delivery.id}`],
  ['no delivery', '001750000000000#whk_1'],
  ['something after', `${position}#`],
])('a position in the log is not %s', (_what, text) => {
  expect(logPositionSchema.safeParse(text).success).toBe(false);
});
