import { openContactStore } from '#shared/contacts/contact-store';
import { openSuppressionStore } from '#shared/contacts/suppression-store';
import { openEventStore } from '#shared/events/event-store';
import { openSettlementStore } from '#shared/sending/settlement-store';
import { openTimelineStore } from '#shared/sending/timeline-store';
import type { Table } from '#shared/table/table-client';
import { openDeliveryStore } from '#shared/webhooks/delivery-store';

/** What recording a provider's event uses. */
export const openEventRecording = (table: Table) => ({
  now: Date.now,
  timelines: openTimelineStore(table),
  settlements: openSettlementStore(table),
  contacts: openContactStore(table),
  suppressions: openSuppressionStore(table),
  events: openEventStore(table),
  deliveries: openDeliveryStore(table),
});
export type EventRecording = ReturnType<typeof openEventRecording>;
