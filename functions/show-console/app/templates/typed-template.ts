import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { session } from '../api-client.ts';
import { useUnsaved } from '../shared/leaving.ts';
import { may } from '../shared/may.ts';
import {
  changedParts,
  draftOf,
  languagesIn,
  ownLanguage,
  type Template,
  type TemplateDraft,
  textsIn,
} from './draft.ts';
import { sampleOf } from './sample.ts';

/** The editor's content, and what it started from. */
type Typed = {
  /** The latest stored version that the page knows; `undefined` for a new template. */
  readonly stored: Template | undefined;
  readonly draft: TemplateDraft;
  /** As JSON. */
  readonly variables: string;
  /** The language being written and shown. */
  readonly language: string;
};

export type TypedTemplate = Typed & {
  readonly kind: Template['kind'];
  readonly isChanged: boolean;
  /** Whether it can be saved. Otherwise it's shown as it is. */
  readonly isWritable: boolean;
  readonly change: (changes: Partial<Typed>) => void;
  readonly write: (path: string, text: string) => void;
  /** Drops the draft: it's saved, or its template is gone. */
  readonly forget: () => void;
  /**
   * A new template is saved: unsaved edits continue on its page.
   *
   * @param saved the draft that it was made of.
   */
  readonly become: (made: Template, saved: TemplateDraft) => void;
};

// A session may end while someone writes. Signing in to the same organization again brings the draft back.
const kept = new Map<string, Typed>();
const keptAs = (id: string): string => `${session.organizationId} ${id}`;

export function useTypedTemplate(
  template: Template | undefined,
  kind: Template['kind'],
): TypedTemplate {
  const [id] = useState(() => keptAs(template?.id ?? kind ?? ''));
  const [typed, setTyped] = useState<Typed>(() => {
    const draft = draftOf(template);
    const variables = sampleText(draft, kind);
    return kept.get(id) ?? { stored: template, draft, variables, language: ownLanguage };
  });
  const { stored, draft, language } = typed;
  const isChanged = useMemo(() => changedParts(stored, draft).length > 0, [stored, draft]);
  useEffect(() => {
    if (isChanged) kept.set(id, typed);
    else kept.delete(id);
  }, [id, isChanged, typed]);
  const forget = useCallback(() => {
    kept.delete(id);
  }, [id]);
  useUnsaved(isChanged, forget);
  // People may keep typing while it's being saved.
  const latest = useRef(typed);
  latest.current = typed;
  const become = useCallback(
    (made: Template, saved: TemplateDraft) => {
      const hasMore = latest.current.draft !== saved;
      const draft = hasMore ? latest.current.draft : draftOf(made);
      forget();
      kept.set(keptAs(made.id), { ...latest.current, stored: made, draft });
    },
    [forget],
  );
  const change = useCallback(
    (changes: Partial<Typed>) => setTyped((before) => ({ ...before, ...changes })),
    [],
  );
  const write = useCallback(
    (path: string, text: string) =>
      setTyped((before) => ({ ...before, draft: { ...before.draft, [path]: text } })),
    [],
  );
  // Another version, or a colleague's, may not have the language.
  const shown = languagesIn(draft).includes(language) ? language : ownLanguage;
  const isWritable = may('POST /api/v1/templates');
  return { ...typed, language: shown, kind, isChanged, isWritable, change, write, forget, become };
}

/** What a layout shows in place of an email. */
const emailInLayout = '<p>The email goes here.</p>';

const sampleText = (draft: TemplateDraft, kind: Template['kind']): string =>
  asJson({
    ...sampleOf(textsIn(draft)),
    ...(kind === 'layout' && { content: emailInLayout }),
  });

/** Invalid JSON has no values. */
export function valuesIn(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

export const asJson = (value: unknown): string => JSON.stringify(value, null, 2);
