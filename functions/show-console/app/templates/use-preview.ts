import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer, Input } from '../../../api.ts';
import { type ApiFailure, refuseFailure, send, session } from '../api-client.ts';
import { toFailure } from '../shared/use-call.ts';
import { declaredIn, type WordPart, wordPath } from './draft.ts';
import type { TypedTemplate } from './typed-template.ts';

type PreviewFields = NonNullable<Input<'POST /console/preview'>['body']>;

/** Every field of a preview's form. */
export type PreviewInput = Readonly<Record<keyof PreviewFields, string>>;

/** The words are in the language being written. */
export function previewInputOf({ draft, language, variables }: TypedTemplate): PreviewInput {
  const words = (part: WordPart) => draft[wordPath(part, language)] ?? '';
  const declared = declaredIn(draft);
  return {
    subject: words('subject'),
    htmlContent: words('htmlContent'),
    content: words('content'),
    variables,
    declaredVariables: declared.length > 0 ? JSON.stringify(Object.fromEntries(declared)) : '',
    layout: draft['layout'] ?? '',
    locale: language,
  };
}

type Rendered = Exclude<Answer<'POST /console/preview'>, string>;

/** Renders a draft: as a page for a frame, or as JSON for `preview`. */
export const previewAddress = '/console/preview';

/** @throws ApiFailure if the draft can't be rendered; its fields say where the mistake is. */
export async function preview(input: PreviewInput, signal?: AbortSignal): Promise<Rendered> {
  const body = new FormData();
  for (const [name, value] of Object.entries(input)) body.set(name, value);
  const response = await send(previewAddress, {
    method: 'POST',
    headers: { Accept: 'application/json' },
    body,
    ...(signal && { signal }),
  });
  if (response.status === 401) session.onEnd();
  await refuseFailure(response);
  return response.json();
}

/** A draft as it would be sent. It stays while the next one is being typed or has a mistake. */
export type Preview = {
  readonly rendered: Rendered | undefined;
  /** What `rendered` was made from. */
  readonly input: PreviewInput | undefined;
  readonly failure: ApiFailure | undefined;
};

/** The preview updates after this long without a keystroke. */
const pauseMs = 300;

export function usePreview(input: PreviewInput): Preview {
  const [state, setState] = useState<Preview>({
    rendered: undefined,
    input: undefined,
    failure: undefined,
  });
  const isFirst = useRef(true);
  const latest = useRef(input);
  latest.current = input;
  const key = JSON.stringify(input);

  useEffect(() => {
    const abort = new AbortController();
    const typed = latest.current;
    const render = () => {
      preview(typed, abort.signal).then(
        (rendered) => {
          if (!abort.signal.aborted) setState({ rendered, input: typed, failure: undefined });
        },
        (error: unknown) => {
          if (abort.signal.aborted) return;
          setState((before) => ({ ...before, failure: toFailure(error) }));
        },
      );
    };
    const timer = setTimeout(render, isFirst.current ? 0 : pauseMs);
    isFirst.current = false;
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key]);
  return state;
}
