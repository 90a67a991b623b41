import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Answer, Input } from '../../../api.ts';
import { ApiFailure, call } from '../api-client.ts';
import { announce } from '../parts/announce.tsx';
import { ChangeForm, type Typed } from '../parts/form.tsx';
import { changedNames, seenAfter, undoneBy } from '../shared/changes.ts';
import { type Called, useCall } from '../shared/use-call.ts';

export type Settings = Answer<'GET /api/v1/organization'>;
type Changes = Input<'PATCH /api/v1/organization'>['body'];

export type SettingsPart = { settings: Settings; onRead: (settings: Settings) => void };

/** The settings as last read or saved. */
export function useSettings(): Called<Settings> & Pick<SettingsPart, 'onRead'> {
  const called = useCall('GET /api/v1/organization', {});
  const [latest, setLatest] = useState<Settings>();
  return { ...called, value: latest ?? called.value, onRead: setLatest };
}

const names: Readonly<Record<string, string>> = {
  name: 'the name',
  senderName: 'the sender name',
  replyTo: 'the Reply-To address',
  noticeEmail: 'the notice address',
  footerText: 'the footer',
  unsubscribePageUrl: 'the unsubscribe page',
  defaultPolicyKey: 'the default policy',
  preferencesByAddress: 'preferences by address alone',
  sendRetentionDays: 'how long emails are kept',
  keylessReading: 'reading sends without a key',
  tracking: 'what is tracked',
  transactionalUnsubscribe: 'one-click unsubscribe of transactional emails',
  keepContentDays: 'how long content is stored',
  keepRefusedShapes: 'what is kept of refused requests',
} satisfies Readonly<Record<keyof Changes, string>>;

/** Sends only changes, and none that would silently undo someone else's. */
export function SettingsForm({
  settings,
  onRead,
  changes: changesFor,
  onSaved,
  children,
}: SettingsPart & {
  changes: (typed: Typed, filled: Settings) => Changes;
  onSaved?: () => Promise<void>;
  children: (filled: Settings) => ComponentChildren;
}) {
  // The page's other forms may have read newer settings; this one goes on from those it shows.
  const [filled, setFilled] = useState(settings);
  const seen = useRef<Readonly<Record<string, unknown>>>(filled);
  const [outcome, setOutcome] = useState<string>();
  const report = (text: string) => {
    setOutcome(text);
    announce(text);
  };
  const save = async (typed: Typed) => {
    setOutcome(undefined);
    const changes = changesFor(typed, filled);
    if (changedNames(changes).length === 0) return report('Nothing to save.');
    const now = await call('GET /api/v1/organization', {});
    const undone = undoneBy(changes, seen.current, now);
    if (undone.length > 0) {
      seen.current = seenAfter(seen.current, now, undone);
      onRead(now);
      throw changedBySomeoneElse(undone.map((name) => names[name] ?? name).join(' and '));
    }
    const saved = await call('PATCH /api/v1/organization', { body: changes }).catch(
      explainConflict,
    );
    seen.current = saved;
    setFilled(saved);
    onRead(saved);
    await onSaved?.();
    report('Saved. It applies from the next email on.');
  };
  return (
    <ChangeForm submit="Save" act={save}>
      {children(filled)}
      {outcome && <p class="quiet">{outcome}</p>}
    </ChangeForm>
  );
}

export const changedBySomeoneElse = (what: string, requestId?: string): ApiFailure =>
  new ApiFailure(409, {
    code: 'concurrent_change',
    detail: `Someone else changed ${what}. Yours isn’t saved, but it’s still here: save again to replace theirs, or reload the page to see theirs.`,
    ...(requestId && { requestId }),
  });

function explainConflict(error: unknown): never {
  const isConflict = error instanceof ApiFailure && error.code === 'concurrent_change';
  throw isConflict ? changedBySomeoneElse('the organization', error.requestId) : error;
}
