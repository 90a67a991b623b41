import { findPolicy } from '#shared/organizations/organization';
import type { AdmittedEmail } from '#shared/sending/check-email';
import { buildApiKey } from './api-key-builder.ts';
import { buildOrganization } from './organization-builder.ts';
import { buildSendRequest } from './send-request-builder.ts';

/** A transactional email to one recipient that may go ahead. */
export function buildAdmission(overrides: Partial<AdmittedEmail> = {}): AdmittedEmail {
  const organization = overrides.organization ?? buildOrganization();
  const policy = findPolicy(organization, 'transactional');
  if (policy === undefined) throw new Error('no policy');
  const request = buildSendRequest();
  return {
    apiKey: buildApiKey({ organizationId: organization.id }).apiKey,
    isTest: overrides.apiKey?.test === true,
    organization,
    sender: { fromEmail: 'hello@mail.example.com', fromName: undefined },
    request,
    policyKey: 'transactional',
    policy,
    recipients: {
      to: [request.to],
      cc: [],
      bcc: [],
      suppressed: [],
      isToSuppressed: false,
      isNew: () => true,
    },
    attachments: { count: 0, totalBytes: 0 },
    ...overrides,
  };
}
