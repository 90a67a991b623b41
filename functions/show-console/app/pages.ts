import { Address } from './contacts/address.tsx';
import { Contacts } from './contacts/contacts.tsx';
import { DomainPage } from './domains/domain.tsx';
import { Domains } from './domains/domains.tsx';
import { Email } from './emails/email.tsx';
import { Peek } from './emails/peek.tsx';
import { Keys } from './keys/keys.tsx';
import { Overlay } from './palette/overlay.tsx';
import { RefusedRequests } from './refused/refused-requests.tsx';
import { Settings } from './settings/settings.tsx';
import { LiftMany } from './suppressions/lift-many.tsx';
import { MoveSuppressions } from './suppressions/move-suppressions.tsx';
import { Suppressions } from './suppressions/suppressions.tsx';
import { Templates } from './templates/templates.tsx';
import { UsagePage } from './usage/usage.tsx';
import { WebhookPage } from './webhooks/webhook.tsx';
import { Webhooks } from './webhooks/webhooks.tsx';
import { You } from './you/you.tsx';

/** All but the first ones and the large ones. One file, so that they all come with the first of them. */
export const pages = {
  Address,
  Contacts,
  DomainPage,
  Domains,
  Email,
  Keys,
  LiftMany,
  MoveSuppressions,
  Overlay,
  Peek,
  RefusedRequests,
  Settings,
  Suppressions,
  Templates,
  UsagePage,
  WebhookPage,
  Webhooks,
  You,
};
