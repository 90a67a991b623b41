import { openContactStore } from '#shared/contacts/contact-store';
import { openDeliveryStore } from '#shared/deliveries/delivery-store';
import { openEventStore } from '#shared/events/event-store';
import { openSettlementStore } from '#shared/sending/settlement-store';
import { openReportErasure } from '#shared/sends/recipient-sends-store';
import { openTimelineStore } from '#shared/sends/timeline-store';
import { openSuppressionStore } from '#shared/suppressions/suppression-store';
import type { Table } from '#shared/table/table-client';

/** What recording a provider's event uses. */
export const openEventRecording = (table: Table, sendRetentionDays: number) => ({
  now: Date.now,
  sendRetentionDays,
  timelines: openTimelineStore(table),
  settlements: openSettlementStore(table),
  contacts: openContactStore(table),
  suppressions: openSuppressionStore(table),
  events: openEventStore(table),
  deliveries: openDeliveryStore(table),
  ...openReportErasure(table),
});
export type EventRecording = ReturnType<typeof openEventRecording>;
