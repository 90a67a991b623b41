import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Answer, ApiFailure, call, type Input } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { ChangeForm, type Typed } from '../shared/form.tsx';
import { type Called, useCall } from '../shared/use-call.ts';
import { changedMeanwhile, changedNames } from './settings-changes.ts';

export type Settings = Answer<'GET /api/v1/organization'>;
type Changes = Input<'PATCH /api/v1/organization'>['body'];

export type CalledSettings = Called<Settings> & { readonly onRead: (settings: Settings) => void };

/** The settings of the organization, as they were read or saved last. */
export function useSettings(): CalledSettings {
  const called = useCall('GET /api/v1/organization', {});
  const [latest, setLatest] = useState<Settings>();
  return { ...called, value: latest ?? called.value, onRead: setLatest };
}

const names: Readonly<Record<string, string>> = {
  name: 'the name',
  senderName: 'the sender name',
  replyTo: 'the address for answers',
  noticeEmail: 'the address for notices',
  footerText: 'the footer',
  unsubscribePageUrl: 'the unsubscribe page',
  defaultPolicyKey: 'the policy of sends',
  preferencesByAddress: 'preferences by an address alone',
  sendRetentionDays: 'how long sends are kept',
  keylessReading: 'reading sends without a key',
};

/** A form of some settings. It sends what differs, and nothing that would undo somebody else's change unseen. */
export function SettingsForm({
  settings,
  onRead,
  changes: changesFor,
  onSaved,
  children,
}: {
  settings: Settings;
  onRead: (settings: Settings) => void;
  changes: (typed: Typed) => Changes;
  onSaved?: () => Promise<void>;
  children: ComponentChildren;
}) {
  const [outcome, setOutcome] = useState<string>();
  const tell = (text: string) => {
    setOutcome(text);
    announce(text);
  };
  const save = async (typed: Typed) => {
    setOutcome(undefined);
    const changes = changesFor(typed);
    if (changedNames(changes).length === 0) return tell('Nothing to save: all is as it was.');
    const now = await call('GET /api/v1/organization', {});
    const undone = changedMeanwhile(changes, settings, now);
    if (undone.length > 0) {
      onRead(now);
      throw changedBySomebody(undone.map((name) => names[name] ?? name).join(' and '));
    }
    onRead(await call('PATCH /api/v1/organization', { body: changes }).catch(explainConflict));
    await onSaved?.();
    tell('Saved. It counts from the next email on.');
  };
  return (
    <ChangeForm submit="Save" act={save}>
      {children}
      {outcome && <p class="quiet">{outcome}</p>}
    </ChangeForm>
  );
}

const changedBySomebody = (what: string, requestId?: string): ApiFailure =>
  new ApiFailure(409, {
    code: 'concurrent_change',
    detail: `Somebody else has changed ${what} meanwhile. Nothing was saved, and what you typed is still here. Save again to put it in the place of theirs, or reload the page to see theirs.`,
    ...(requestId && { requestId }),
  });

function explainConflict(error: unknown): never {
  const isConflict = error instanceof ApiFailure && error.code === 'concurrent_change';
  throw isConflict ? changedBySomebody('the organization', error.requestId) : error;
}
