import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { isExpired } from '#shared/table/expiry';
import { leaseMs } from '../support/send-builder.ts';
import type { World } from './world.ts';

const keySchema = z.object({ pk: z.string(), sk: z.string() });

/** Deletes expired items, some sooner and some later, as DynamoDB does. */
export async function sweepExpired(world: World, retentionMs: number): Promise<void> {
  const { scheduler, dice, feed, table, trace } = world;
  await scheduler.pause(retentionMs);
  for (let sweep = 0; sweep < 6; sweep += 1) {
    await scheduler.pause(dice.between(0, leaseMs));
    const expired = feed.items().filter((item) => isExpired(item, scheduler.now()));
    for (const item of expired) {
      if (dice.chance(0.5)) continue;
      const Key = keySchema.parse(item);
      await scheduler.hold(
        table.client.send(
          new DeleteCommand({ TableName: table.name, Key: { pk: Key.pk, sk: Key.sk } }),
        ),
      );
    }
    trace.tell('DynamoDB', 'deletes some of what has expired');
  }
}
