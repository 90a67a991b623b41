import { sendKey } from '#shared/table/send-keys';
import type { Table } from '#shared/table/table-client';
import { newOrganizationId, slotIdIn } from '#shared/tokens/resource-id';
import type { Engagement, Hit } from '#shared/tracking/engagement';
import { countNews } from '#shared/tracking/engagement-store';
import { newSendId } from './send-builder.ts';

/** A requirement that holds whatever the send is like. */
export const anySend = {
  Key: sendKey(slotIdIn(newSendId(newOrganizationId()))),
  ConditionExpression: 'attribute_not_exists(pk)',
};

/** Counts a hit that no endpoint wants to hear of; the first makes the event. */
export const storeHit = (table: Table, engagement: Engagement, hit: Hit, expiresAt: number) =>
  countNews(table, engagement, hit, [], expiresAt, anySend);
