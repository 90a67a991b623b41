import { describe, expect, it } from 'vitest';
import type { Organization } from '#shared/organizations/organization';
import { putOrganization } from '#shared/organizations/organization-store';
import { admitServiceEmail } from '#shared/sending/admit-service-email';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { sendingOn } from '../../support/send-world.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const to = { address: 'ops@example.com', identity: 'ops@example.com' };
const ofDeployment = 'notices@service.example';

async function admit(organization: Organization | undefined, mayComeFromDeployment: boolean) {
  const { table } = openMemoryTable();
  if (organization) await putOrganization(table, organization);
  const { settings } = sendingOn(table);
  return admitServiceEmail(
    organization?.id ?? buildOrganization().id,
    { to, subject: 'A notice', text: 'Hello.', idempotencyKey: 'notice-1', mayComeFromDeployment },
    { table, settings: { ...settings, usesTenants: true }, noticeFromEmail: ofDeployment },
  );
}

const paused = buildOrganization({ tenant: { sending: 'paused' }, senderName: 'Example' });

describe('a notice from the service to an organization', () => {
  it("is sent from the organization's own address while it can send", async () => {
    const organization = buildOrganization({ tenant: { sending: 'enabled' } });

    expect(await admit(organization, true)).toMatchObject({
      organization,
      sender: { fromEmail: organization.identity?.fromEmail },
      request: { to },
      recipients: { isToSuppressed: false, cc: [], bcc: [] },
    });
  });

  it("is sent from the deployment's address, for no organization, when SES has paused the organization", async () => {
    const { organization, sender } = await admit(paused, true);

    expect(sender.fromEmail).toBe(ofDeployment);
    expect(organization).not.toHaveProperty('tenant');
    expect(organization).not.toHaveProperty('senderName');
  });

  it.each([
    ['SES has paused the organization', paused, 'tenant_paused'],
    ['the operator has paused it', buildOrganization({ paused: true }), 'tenant_paused'],
    ['it has no identity', buildOrganization({ identity: undefined }), 'no_active_identity'],
    ['it is gone', undefined, 'no_active_identity'],
  ])(
    'is refused when %s and only its own address may be used',
    async (_when, organization, code) => {
      expect((await serviceErrorOf(() => admit(organization, false))).code).toBe(code);
    },
  );
});
