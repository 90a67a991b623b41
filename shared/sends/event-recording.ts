import { openContactStore } from '#shared/contacts/contact-store';
import { openDeliveryStore } from '#shared/deliveries/delivery-store';
import { openSettlementStore } from '#shared/sending/settlement-store';
import { openSuppressionStore } from '#shared/suppressions/suppression-store';
import type { Table } from '#shared/table/table-client';
import { openHeardStore } from './heard-store.ts';
import { openReportErasure } from './recipient-sends-store.ts';
import { openTimelineStore } from './timeline-store.ts';

/** What recording a provider's event uses. */
export const openEventRecording = (table: Table, sendRetentionDays: number) => ({
  now: Date.now,
  sendRetentionDays,
  timelines: openTimelineStore(table),
  settlements: openSettlementStore(table),
  contacts: openContactStore(table),
  suppressions: openSuppressionStore(table),
  heard: openHeardStore(table),
  deliveries: openDeliveryStore(table),
  ...openReportErasure(table),
});
export type EventRecording = ReturnType<typeof openEventRecording>;
