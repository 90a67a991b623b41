import type { TokenHolder } from '#shared/send-history/token-holder';
import { contactIdOf, feedbackIdOf } from '#shared/tokens/resource-id';
import { buildContact } from './contact-builder.ts';
import { buildOrganization } from './organization-builder.ts';
import { newSendId } from './send-builder.ts';

/** Ann, as a token in an email to her names her. */
export function buildTokenHolder(overrides: Partial<TokenHolder> = {}): TokenHolder {
  const organization = overrides.organization ?? buildOrganization();
  const contactId = contactIdOf(organization.id, 'ann@example.com');
  return {
    token: { contactId, feedbackId: feedbackIdOf(newSendId(organization.id)) },
    text: 'v1.k1.token',
    opensPreferences: false,
    organization,
    contact: buildContact({ id: contactId }),
    ...overrides,
  };
}
