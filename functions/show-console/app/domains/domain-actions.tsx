import { ApiFailure, call } from '../api-client.ts';
import { toast } from '../parts/announce.tsx';
import { ActionButton, ConfirmButton } from '../parts/buttons.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { ChangeForm, Field } from '../parts/form.tsx';
import { Foreign } from '../parts/text.tsx';
import { changedNames, requiredChangeOf } from '../shared/changes.ts';
import type { Identity } from './domain-state.ts';

export const AddDomain = ({
  listed,
  onAdded,
}: {
  listed: readonly { readonly domain: string }[];
  onAdded: (domain: string) => void;
}) => (
  <DialogButton label="Add domain" title="Add a domain" look="main" opensBy="add">
    <ChangeForm
      submit="Add domain"
      act={async (typed) => {
        const body = {
          domain: (typed('domain') ?? '').toLowerCase(),
          fromEmail: typed('fromEmail'),
          mailFromLabel: typed('mailFromLabel'),
        };
        if (listed.some(({ domain }) => domain === body.domain)) {
          throw new ApiFailure(0, { detail: `${body.domain} is already in the list.` });
        }
        const { domain } = await call('POST /api/v1/domains', { body });
        toast('Domain added');
        onAdded(domain);
      }}
    >
      <Field
        label="Domain"
        name="domain"
        hint="A subdomain works best, such as mail.example.com"
        required
      />
      <Field
        label="From address"
        name="fromEmail"
        type="email"
        hint="Optional. An address at that domain; hello@<domain> by default."
      />
      <Field
        label="Bounce subdomain"
        name="mailFromLabel"
        hint="Optional. “bounces” by default: bounces go to bounces.<domain>."
      />
    </ChangeForm>
  </DialogButton>
);

/** Restarts checks that Amazon SES or the service has given up. */
export const VerifyNow = ({ domain, onVerified }: { domain: string; onVerified: () => void }) => (
  <ActionButton
    label="Verify now"
    working="Verifying…"
    look="plain"
    act={async () => {
      await call('POST /api/v1/domains/{domain}/verify', { path: { domain } });
      toast('Verification started');
      onVerified();
    }}
  />
);

export const MakeDefault = ({ identity, onMade }: { identity: Identity; onMade: () => void }) => (
  <ConfirmButton
    label="Set as default…"
    question="Make this the default domain?"
    yes="Set as default"
    look="plain"
    isHarmless
    act={async () => {
      const path = { domain: identity.domain };
      await call('PATCH /api/v1/domains/{domain}', { path, body: { default: true } });
      toast('Default domain changed');
      onMade();
    }}
  >
    <p>
      Sends without a From address then come from <Foreign text={identity.fromEmail} />.
    </p>
  </ConfirmButton>
);

export const ChangeAddress = ({ identity, onSet }: { identity: Identity; onSet: () => void }) => (
  <DialogButton label="Change address…" title="Change the From address">
    <ChangeForm
      submit="Save"
      act={async (typed) => {
        const body = {
          fromEmail: requiredChangeOf(identity.fromEmail, typed('fromEmail')),
          mailFromLabel: requiredChangeOf(labelOf(identity), typed('mailFromLabel') ?? 'bounces'),
        };
        if (changedNames(body).length === 0) return toast('Nothing to save');
        await call('PATCH /api/v1/domains/{domain}', { path: { domain: identity.domain }, body });
        toast('Domain saved');
        onSet();
      }}
    >
      <Field
        label="From address"
        name="fromEmail"
        type="email"
        value={identity.fromEmail}
        hint="An address at that domain"
        required
      />
      <Field
        label="Bounce subdomain"
        name="mailFromLabel"
        value={labelOf(identity)}
        hint="“bounces” by default: bounces go to bounces.<domain>"
      />
    </ChangeForm>
  </DialogButton>
);

const labelOf = ({ domain, mailFrom }: Identity): string =>
  mailFrom.domain.replace(`.${domain}`, '');

export function RemoveDomain({
  identity,
  onRemoved,
}: {
  identity: Identity;
  onRemoved: () => void;
}) {
  const { domain, isDefault, sendingAs } = identity;
  const replaced = isDefault && sendingAs?.domain !== domain ? sendingAs : null;
  return (
    <ConfirmButton
      label="Remove…"
      name="Remove this domain"
      question="Remove this domain?"
      yes="Remove"
      look="plain"
      act={async () => {
        await call('DELETE /api/v1/domains/{domain}', { path: { domain } });
        toast('Domain removed');
        onRemoved();
      }}
    >
      <p>
        Every send from <Foreign text={domain} /> is refused from then on, and others can claim it.
        {isDefault && replaced === null && ' So is every send without a From address.'}
      </p>
      {replaced && (
        <p>
          Sends without a From address still come from <Foreign text={replaced.fromEmail} />.
        </p>
      )}
    </ConfirmButton>
  );
}
