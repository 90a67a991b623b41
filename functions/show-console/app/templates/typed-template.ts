import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { session } from '../api-client.ts';
import { useUnsaved } from '../shared/leaving.ts';
import { changedParts, draftOf, type Template, type TemplateDraft } from './draft.ts';
import { sampleOf } from './sample.ts';

/** What's in the editor, and what it started from. */
type Typed = {
  /** The latest stored version that the page knows; `undefined` for a new template. */
  readonly stored: Template | undefined;
  readonly draft: TemplateDraft;
  /** The sample variables, as JSON. */
  readonly variables: string;
};

export type TypedTemplate = Typed & {
  readonly isChanged: boolean;
  readonly change: (changes: Partial<Typed>) => void;
  /** Forgets the draft: it's saved, or its template is gone. */
  readonly forget: () => void;
};

// A session may end while someone writes. Signing in to the same organization brings the draft back.
const kept = new Map<string, Typed>();

export function useTypedTemplate(template: Template | undefined): TypedTemplate {
  const [id] = useState(() => `${session.organizationId} ${template?.id ?? ''}`);
  const [typed, setTyped] = useState<Typed>(
    () =>
      kept.get(id) ?? {
        stored: template,
        draft: draftOf(template),
        variables: sampleText(draftOf(template)),
      },
  );
  const { stored, draft } = typed;
  const isChanged = useMemo(() => changedParts(stored, draft).length > 0, [stored, draft]);
  useEffect(() => {
    if (isChanged) kept.set(id, typed);
    else kept.delete(id);
  }, [id, isChanged, typed]);
  const forget = useCallback(() => {
    kept.delete(id);
  }, [id]);
  useUnsaved(isChanged, forget);
  const change = useCallback(
    (changes: Partial<Typed>) => setTyped((before) => ({ ...before, ...changes })),
    [],
  );
  return { ...typed, isChanged, change, forget };
}

const sampleText = (draft: TemplateDraft): string => asJson(sampleOf(textsOf(draft)));

export const textsOf = ({ subject, htmlContent, content }: TemplateDraft): readonly string[] => [
  subject,
  htmlContent,
  content,
];

export const asJson = (value: unknown): string => JSON.stringify(value, null, 2);
