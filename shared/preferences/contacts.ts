import type * as z from 'zod/mini';
import { openAuthentication } from '#shared/access/admit-caller';
import type { contactEnvironment } from '#shared/config/environment';
import { openContactStore } from '#shared/contacts/contact-store';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import type { Table } from '#shared/table/table-client';
import { keyringReader } from '#shared/tokens/keyring-reader';
import { createQueueWaker } from '#shared/webhook-deliveries/sqs-delivery-queue';
import { openBareAddressStore } from './bare-address-store.ts';
import { openCategoryStore } from './category-store.ts';
import { openContactOutbox } from './contact-outbox.ts';

/** Shared by the pages for people and the endpoints for programs. */
export function openContacts(table: Table, environment: z.output<typeof contactEnvironment>) {
  const wakeQueue = createQueueWaker(environment.WEBHOOK_QUEUE_URL);
  return {
    ...openAuthentication(table),
    keyring: keyringReader(environment.TOKEN_SIGNING_SECRET_ID),
    organizations: openOrganizationStore(table),
    store: openContactStore(table),
    categories: openCategoryStore(table),
    /** The default; the organization's own setting comes first. */
    preferencesByAddress: environment.PREFERENCES_BY_ADDRESS,
    proxiesInFront: environment.PROXIES_IN_FRONT,
    bareAddresses: openBareAddressStore(table),
    outbox: openContactOutbox(table, wakeQueue, environment.SEND_RETENTION_DAYS),
  };
}

export type Contacts = ReturnType<typeof openContacts>;
