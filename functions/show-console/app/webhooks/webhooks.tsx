import { useState } from 'preact/hooks';
import { call } from '../api-client.ts';
import { ChangeForm, Field } from '../shared/form.tsx';
import { Page } from '../shared/page.tsx';
import { Empty, Shown } from '../shared/states.tsx';
import { Foreign, ShownOnce } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';
import { EventTypes, HealthBadge, typedEvents } from './endpoint.tsx';

/** The endpoints that hear what becomes of emails. */
export function Webhooks() {
  const webhooks = useCall('GET /api/v1/webhooks', {});
  const [secret, setSecret] = useState<string>();
  return (
    <Page title="Webhooks" lead="The service tells your own endpoints what becomes of each email.">
      {secret && <ShownOnce what="the secret of the new endpoint" secret={secret} />}
      <Register
        onMade={(made) => {
          setSecret(made);
          webhooks.reload();
        }}
      />
      <Shown of={webhooks}>
        {({ data }) => (
          <>
            {data.length === 0 && <Empty>No endpoint yet. Register one above.</Empty>}
            <ul class="rows">
              {data.map((webhook) => (
                <li key={webhook.id}>
                  <span class="wide">
                    <a href={`/console/webhooks/${encodeURIComponent(webhook.id)}`}>
                      <Foreign text={webhook.url} />
                    </a>
                    <br />
                    <Foreign text={webhook.description} />{' '}
                    <span class="quiet">{!webhook.disabled && webhook.health.outlook}</span>
                  </span>
                  <HealthBadge webhook={webhook} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Shown>
    </Page>
  );
}

const Register = ({ onMade }: { onMade: (secret: string) => void }) => (
  <details>
    <summary>Register an endpoint</summary>
    <ChangeForm
      submit="Register it"
      act={async (typed, form) => {
        const body = {
          url: typed('url') ?? '',
          description: typed('description'),
          eventTypes: typedEvents(form),
        };
        const { secret } = await call('POST /api/v1/webhooks', { body });
        onMade(secret);
      }}
    >
      <Field label="URL" name="url" type="url" hint="https://…" required />
      <Field label="Description" name="description" hint="Optional: who listens there" />
      <EventTypes chosen={[]} />
    </ChangeForm>
  </details>
);
