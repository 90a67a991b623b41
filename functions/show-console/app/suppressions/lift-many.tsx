import type { TargetedSubmitEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Answer, Input } from '../../../api.ts';
import { call } from '../api-client.ts';
import { ConfirmButton } from '../parts/buttons.tsx';
import { Choice, Field, Form, MomentField, typedIn } from '../parts/form.tsx';
import { useLongWork, WorkState } from '../parts/long-work.tsx';
import { Card, Page } from '../parts/page.tsx';
import { Foreign } from '../parts/text.tsx';
import { count, isoMoment, localMoment } from '../shared/format.ts';
import { addressWith, oneOf } from '../shared/paging.ts';
import { reasonOptions, suppressionReasons } from './reasons.ts';

type Selection = Omit<
  Input<'POST /api/v1/suppressions/lift'>['body'],
  'dryRun' | 'cursor' | 'until'
> & {
  readonly until: number;
};
type Lifted = Answer<'POST /api/v1/suppressions/lift'>;

/** For suppressions caused by a mistake of your own. A dry run comes first. */
export function LiftMany() {
  const { query } = useLocation();
  const [shows, setShows] = useState(0);
  const from = localMoment(query['from']);
  const until = localMoment(query['until']);
  const selection =
    from !== undefined && until !== undefined
      ? {
          from,
          until,
          reason: oneOf(suppressionReasons, query['reason']),
          diagnostic: query['diagnostic'],
        }
      : undefined;
  return (
    <Page
      title="Lift many suppressions"
      lead="For when your own mistake, such as a broken DNS record, made good addresses bounce."
    >
      <Card>
        <Search onShow={() => setShows(shows + 1)} />
      </Card>
      {/* The same question may have another answer by now. */}
      {selection && <Lifting key={`${shows} ${JSON.stringify(selection)}`} selection={selection} />}
    </Page>
  );
}

/** The fields are the address's query. */
function Search({ onShow }: { onShow: () => void }) {
  const { path, query, route } = useLocation();
  const search = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    const typed = typedIn(new FormData(event.currentTarget));
    onShow();
    route(
      addressWith(path, {
        from: isoMoment(typed('from')),
        until: isoMoment(typed('until')),
        reason: typed('reason'),
        diagnostic: typed('diagnostic'),
      }),
    );
  };
  return (
    <search>
      <Form class="filters" key={JSON.stringify(query)} onSubmit={search}>
        <MomentField label="Suppressed from" name="from" required />
        <MomentField label="Until" name="until" required />
        <Choice
          label="Reason"
          name="reason"
          value={query['reason'] ?? 'bounce'}
          options={reasonOptions}
        />
        <Field
          label="The server’s reply contains"
          name="diagnostic"
          value={query['diagnostic']}
          hint="Optional: “not authenticated”"
        />
        <p class="buttons">
          <button type="submit" class="main">
            Show
          </button>
        </p>
      </Form>
    </search>
  );
}

function Lifting({ selection }: { selection: Selection }) {
  const previewed = useRef(selection);
  const stride = (dryRun: boolean) => async (before: Lifted | undefined, signal: AbortSignal) => {
    const cursor = before?.nextCursor ?? undefined;
    const body = { ...previewed.current, dryRun, cursor };
    const next = await call('POST /api/v1/suppressions/lift', { body }, signal);
    return { progress: sum(before, next), isDone: next.nextCursor === null };
  };
  const trial = useLongWork(stride(true));
  const lifting = useLongWork(stride(false));
  const preview = () => {
    // What comes after the preview isn't lifted with it.
    previewed.current = { ...selection, until: Math.min(selection.until, Date.now()) };
    trial.start();
  };
  return (
    <>
      {trial.state === 'idle' && (
        <p>
          <button type="button" class="main" onClick={preview}>
            Preview
          </button>
        </p>
      )}
      <WorkState work={trial}>
        {({ matched, examples }) => (
          <>
            <p>
              {trial.state === 'done' ? 'This would lift' : 'So far this would lift'}{' '}
              <b>{count(matched, 'suppression')}</b>.
              {matched === 0 && trial.state === 'done' && ' Try another time or other words.'}
            </p>
            <ul>
              {examples.map(({ email, contactId, diagnostic }) => (
                <li key={contactId}>
                  <Foreign text={email ?? 'An erased person'} />
                  {diagnostic && (
                    <>
                      : <Foreign text={diagnostic} />
                    </>
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </WorkState>
      {trial.state === 'done' && lifting.state === 'idle' && (trial.progress?.matched ?? 0) > 0 && (
        <ConfirmButton
          label="Lift them…"
          question={`Lift ${count(trial.progress?.matched ?? 0, 'suppression')}?`}
          yes="Lift them"
          act={async () => lifting.start()}
        >
          <p>
            These addresses get email again. Amazon SES removes about one address a second from its
            own list, so this may take a while.
          </p>
        </ConfirmButton>
      )}
      <WorkState work={lifting}>
        {({ lifted, removedFromProviderList }) => (
          <p>
            <b>{count(lifted, 'suppression')}</b> lifted, {removedFromProviderList} of them also
            from the list of Amazon SES
            {lifting.state === 'done' ? '. Done.' : ' so far.'}
          </p>
        )}
      </WorkState>
    </>
  );
}

const sum = (before: Lifted | undefined, next: Lifted): Lifted => ({
  ...next,
  matched: (before?.matched ?? 0) + next.matched,
  lifted: (before?.lifted ?? 0) + next.lifted,
  removedFromProviderList: (before?.removedFromProviderList ?? 0) + next.removedFromProviderList,
  examples: [...(before?.examples ?? []), ...next.examples].slice(0, 10),
});
