import { Field } from '../shared/form.tsx';
import { localField } from '../shared/format.ts';
import { type ApiKey, type Scope, scopes, scopeWords } from '../shared/words.ts';

export const typedScopes = (form: FormData): Scope[] =>
  scopes.filter((scope) => form.getAll('scope').includes(scope));

export const typedNumber = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);

/** What a key may do, explained. */
export const Scopes = ({ chosen }: { chosen: readonly Scope[] }) => (
  <fieldset>
    <legend>What it may do</legend>
    <p class="quiet">Nothing checked: it sends emails and manages templates.</p>
    {scopes.map((scope) => (
      <label key={scope} class="check">
        <input type="checkbox" name="scope" value={scope} defaultChecked={chosen.includes(scope)} />
        <span>
          {scopeWords[scope]} <code class="quiet">{scope}</code>
        </span>
      </label>
    ))}
  </fieldset>
);

/** How much a key may do, and for how long. */
export const Limits = ({ apiKey }: { apiKey?: ApiKey }) => (
  <>
    <Field
      label="Requests to send a minute, at most"
      name="perMinuteCap"
      type="number"
      value={apiKey?.perMinuteCap?.toString()}
      hint="Empty: as many as it likes"
    />
    <Field
      label="Requests to send a day, at most"
      name="dailyCap"
      type="number"
      value={apiKey?.dailyCap?.toString()}
      hint="Empty: as many as it likes. With it, a key that leaks costs no more than this"
    />
    <Field
      label="Ends by itself"
      name="validUntil"
      type="datetime-local"
      value={localField(apiKey?.validUntil)}
      hint="Empty: never"
    />
  </>
);
