import { useEffect, useState } from 'preact/hooks';
import { call, session } from '../api-client.ts';

/** The API's most per page. */
export const mostTemplates = 100;

type Named = { readonly id: string; readonly alias?: string | undefined; readonly name: string };

const known = new Map<string, string>();
const keyOf = (id: string): string => `${session.organizationId} ${id}`;

/** What programs call each template, by id. An email's page needn't ask for what a list has shown. */
export function namesOf(templates: readonly Named[]): ReadonlyMap<string, string> {
  const names = new Map(templates.map(({ id, alias, name }) => [id, alias ?? name]));
  for (const [id, name] of names) known.set(keyOf(id), name);
  return names;
}

/**
 * The template's name. Until it's known, or if the session may not read templates, `undefined`.
 *
 * @param mayAsk whether the view has a request left for it.
 */
export function useTemplateName(id: string, mayAsk: boolean): string | undefined {
  const [, setLoaded] = useState(false);
  const name = known.get(keyOf(id));
  const isKnown = name !== undefined;
  useEffect(() => {
    if (isKnown || !mayAsk) return;
    call('GET /api/v1/templates', { query: { limit: mostTemplates } }).then(
      ({ data }) => {
        namesOf(data);
        setLoaded(true);
      },
      () => {},
    );
  }, [isKnown, mayAsk]);
  return name;
}
