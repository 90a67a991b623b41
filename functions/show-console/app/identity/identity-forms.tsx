import { call } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { ConfirmButton } from '../shared/buttons.tsx';
import { ChangeForm, Field } from '../shared/form.tsx';
import { Foreign } from '../shared/text.tsx';
import type { Identity } from '../shared/words.ts';

/** Sets the domain and the address that emails come from. */
export function SetIdentity({ identity, onSet }: { identity?: Identity; onSet: () => void }) {
  return (
    <ChangeForm
      submit="Set it"
      act={async (typed) => {
        const body = {
          domain: typed('domain') ?? '',
          fromEmail: typed('fromEmail') ?? '',
          mailFromLabel: typed('mailFromLabel'),
        };
        await call('PUT /api/v1/organization/identity', { body });
        announce('The identity is set');
        onSet();
      }}
    >
      <Field
        label="Domain"
        name="domain"
        value={identity?.domain}
        hint="A part of your own domain, such as news.example.com: its DNS is yours"
        required
      />
      <Field
        label="From address"
        name="fromEmail"
        type="email"
        value={identity?.fromEmail}
        hint="An address of that domain"
        required
      />
      <Field
        label="Label for bounces"
        name="mailFromLabel"
        value={identity && labelOf(identity)}
        hint="Optional, “bounces” unless told: bounces go to bounces.<domain>"
      />
    </ChangeForm>
  );
}

/** Left out, it would become the usual one again. */
const labelOf = ({ domain, mailFrom }: Identity): string =>
  mailFrom.domain.replace(`.${domain}`, '');

/** Takes them away. */
export const DeleteIdentity = ({
  domain,
  onDeleted,
}: {
  domain: string;
  onDeleted: () => void;
}) => (
  <div>
    <ConfirmButton
      label="Delete this identity…"
      question="Delete this identity?"
      yes="Delete it"
      act={async () => {
        await call('DELETE /api/v1/organization/identity', {});
        announce('The identity is deleted');
        onDeleted();
      }}
    >
      <p>
        Every send is refused from then on, and others may take <Foreign text={domain} />.
      </p>
    </ConfirmButton>
  </div>
);
