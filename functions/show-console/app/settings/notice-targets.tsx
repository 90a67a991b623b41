import { useState } from 'preact/hooks';
import {
  maxTargets,
  type PagerDutyRegion,
  pagerDutyRegions,
  type TargetType,
  targetTypes,
} from '#shared/notice-targets/target-types';
import type { Answer, Input } from '../../../api.ts';
import { call } from '../api-client.ts';
import { toast } from '../parts/announce.tsx';
import { ActionButton, ConfirmButton } from '../parts/buttons.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { ChangeForm, Choice, Field, Labelled, type Typed } from '../parts/form.tsx';
import { Card } from '../parts/page.tsx';
import { Shown } from '../parts/states.tsx';
import { Foreign, Moment } from '../parts/text.tsx';
import { oneOf } from '../shared/paging.ts';
import { useCall } from '../shared/use-call.ts';

type Target = Answer<'GET /api/v1/notice-targets'>['data'][number];
type Place = Input<'PUT /api/v1/notice-targets/{key}'>['body'];

const names: Readonly<Record<TargetType, string>> = {
  slack: 'Slack',
  teams: 'Microsoft Teams',
  pagerduty: 'PagerDuty',
};

const regions: Readonly<Record<PagerDutyRegion, string>> = {
  us: 'United States',
  eu: 'European Union',
};

/** Where notices go besides email. */
export function NoticeTargets() {
  const targets = useCall('GET /api/v1/notice-targets', {});
  return (
    <Card title="Slack, Teams and PagerDuty">
      <p class="quiet">
        Every notice goes there too, whether or not there is an address. One that doesn’t get
        through is tried again for three days.
      </p>
      <Shown of={targets}>
        {({ data }) => (
          <>
            {data.length > 0 && (
              <ul class="rows">
                {data.map((target) => (
                  <Row key={target.key} target={target} onChanged={targets.reload} />
                ))}
              </ul>
            )}
            {data.length < maxTargets && <Add onChanged={targets.reload} />}
          </>
        )}
      </Shown>
    </Card>
  );
}

const Row = ({ target, onChanged }: { target: Target; onChanged: () => void }) => (
  <li>
    <span class="wide">
      <b>
        <Foreign text={target.key} />
      </b>{' '}
      {names[target.type]}{' '}
      <code>
        {target.host}…{target.endsWith}
      </code>
      <br />
      <LastOutcome target={target} />
    </span>
    <span class="buttons">
      <ActionButton
        label="Send a test"
        name={`Send a test to ${target.key}`}
        look="small"
        act={async () => {
          const path = { key: target.key };
          const { lastFailure } = await call('POST /api/v1/notice-targets/{key}/test', { path });
          toast(
            lastFailure
              ? `Not delivered: ${reasonText(lastFailure.reason)}`
              : 'The test got through.',
          );
          onChanged();
        }}
      />
      <ConfirmButton
        label="Delete…"
        name={`Delete ${target.key}`}
        question={`Stop notices to ${target.key}?`}
        yes="Delete"
        act={async () => {
          await call('DELETE /api/v1/notice-targets/{key}', { path: { key: target.key } });
          toast('Deleted');
          onChanged();
        }}
      >
        <p>Its URL or routing key is forgotten. To have it back, you enter it again.</p>
      </ConfirmButton>
    </span>
  </li>
);

function LastOutcome({ target: { lastFailure, lastSentAt } }: { target: Target }) {
  if (lastFailure) {
    return (
      <span class="fault">
        The last notice didn’t get through (<Moment at={lastFailure.at} />
        ): {reasonText(lastFailure.reason)}
      </span>
    );
  }
  return (
    <span class="quiet">
      {lastSentAt ? (
        <>
          Last notice <Moment at={lastSentAt} />
        </>
      ) : (
        'No notice yet'
      )}
    </span>
  );
}

const reasons: Readonly<Record<string, string>> = {
  status_400: 'it answered 400. Is this the right kind of target?',
  status_401: 'it answered 401. The URL is no longer valid: make a new one.',
  status_403: 'it answered 403. The channel may be archived, or the app removed.',
  status_404: 'it answered 404. The webhook was deleted: make a new one.',
  status_410: 'it answered 410. The channel was deleted or archived.',
  status_429: 'it answered 429: too many messages. The notice is tried again.',
  timeout: 'no answer within 5 seconds. The notice is tried again.',
  econnrefused: 'the connection was refused. The notice is tried again.',
  name_not_resolved: 'its host isn’t in DNS.',
  tls_error: 'its certificate isn’t valid.',
  blocked_address: 'it leads to an address that isn’t public.',
};

const reasonText = (reason: string): string =>
  reasons[reason] ??
  `${reason.startsWith('status_') ? `it answered ${reason.slice('status_'.length)}` : reason.replaceAll('_', ' ')}.`;

const Add = ({ onChanged }: { onChanged: () => void }) => (
  <DialogButton label="Add a target…" title="Add a target for notices">
    <ChangeForm
      submit="Add"
      act={async (typed) => {
        await call('PUT /api/v1/notice-targets/{key}', {
          path: { key: typed('key') ?? '' },
          body: placeIn(typed),
        });
        toast('Added. Send it a test.');
        onChanged();
      }}
    >
      <Fields />
    </ChangeForm>
  </DialogButton>
);

function placeIn(typed: Typed): Place {
  const type = oneOf(targetTypes, typed('type')) ?? 'slack';
  const region = oneOf(pagerDutyRegions, typed('region'));
  return {
    type,
    ...(type === 'pagerduty'
      ? { routingKey: typed('routingKey') ?? '', ...(region && { region }) }
      : { url: typed('url') ?? '' }),
  };
}

function Fields() {
  const [type, setType] = useState<TargetType>('slack');
  return (
    <>
      <Labelled label="Where" path="type">
        {(control) => (
          <select
            {...control}
            name="type"
            onChange={({ currentTarget }) =>
              setType(oneOf(targetTypes, currentTarget.value) ?? 'slack')
            }
          >
            {targetTypes.map((one) => (
              <option key={one} value={one}>
                {names[one]}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <Field
        label="Name"
        name="key"
        hint="Lower-case letters, digits, - and _, such as “on-call”. One with the same name is replaced."
        required
      />
      {type === 'pagerduty' ? (
        <>
          <Field
            label="Integration key"
            name="routingKey"
            hint="Of an integration of the type Events API v2: 32 characters."
            required
          />
          <Choice
            label="Service region"
            name="region"
            value="us"
            options={pagerDutyRegions.map((region) => [region, regions[region]])}
          />
        </>
      ) : (
        <Field
          key={type}
          label="Webhook URL"
          name="url"
          type="url"
          hint={
            type === 'slack'
              ? 'Of a Slack app’s incoming webhook: https://hooks.slack.com/services/…'
              : 'Of a workflow that begins with “When a Teams webhook request is received”.'
          }
          required
        />
      )}
      <p class="quiet">It’s a secret: you’ll only see its last characters again.</p>
    </>
  );
}
