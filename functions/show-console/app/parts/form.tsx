import {
  type ComponentChildren,
  createContext,
  type RefObject,
  type TargetedSubmitEvent,
} from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { ApiFailure } from '../api-client.ts';
import {
  capitalized,
  lastFieldMinute,
  localField,
  queryMoment,
  shorten,
} from '../shared/format.ts';
import { useAction } from '../shared/use-call.ts';
import { DialogContext } from './dialog.tsx';
import { Failure } from './states.tsx';

/** A form's text by field name; empty fields are `undefined`. */
export type Typed = (name: string) => string | undefined;

export const typedIn =
  (form: FormData): Typed =>
  (name) => {
    const value = form.get(name);
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };

type InputType = 'text' | 'email' | 'url' | 'number' | 'password' | 'datetime-local';

type FieldProps = {
  label: string;
  name: string;
  hint?: string | undefined;
  type?: InputType;
  value?: string | undefined;
  required?: boolean | undefined;
  autocomplete?: string;
};

/** What's wrong with fields, by path. */
type Faults = ReadonlyMap<string, string>;
const none: Faults = new Map();
export const FaultsContext = createContext(none);

const rootOf = (path: string): string => path.split(/[./[]/).find((part) => part !== '') ?? path;

/** The service's “must be …” follows a field's name; here it's a sentence below the field. */
const faultText = (message: string): string =>
  `${capitalized(message)}${/[.!?]$/.test(message) ? '' : '.'}`;

/** By the first part of the field's path. */
const faultsOf = ({ fields = [] }: Partial<ApiFailure> = {}): Faults =>
  new Map(fields.map(({ path, message }) => [rootOf(path), faultText(message)]));

/** What keeps a form from being sent, in the page's words: the browser's messages are in its own language, and fade. */
function gapOf(control: Element): string | undefined {
  if (!(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)) return;
  const { type, value, required, validity, validationMessage } = control;
  if (validity.customError) return validationMessage;
  // Browsers report half a date or number as empty text, which would pass for none.
  if (validity.badInput) {
    return `Must be a ${type === 'number' ? 'number' : 'whole date and time'}.`;
  }
  if (validity.rangeOverflow) return 'Must have a year of four digits.';
  if (!required || value.trim() !== '') return;
  return type === 'file' ? 'Choose a file.' : 'Fill this in.';
}

const gapsIn = (form: HTMLFormElement): Faults =>
  new Map(
    [...form.querySelectorAll<HTMLElement>('[data-path]')].flatMap((control) => {
      const gap = gapOf(control);
      return gap ? [[control.dataset['path'] ?? '', gap] as const] : [];
    }),
  );

/** Sent once nothing is missing. Each field says what's wrong with it, and the first faulty one gets the focus. */
export function Form({
  element: given,
  faults = none,
  onGaps,
  onSubmit,
  children,
  ...rest
}: {
  id?: string;
  class?: string;
  element?: RefObject<HTMLFormElement | null>;
  faults?: Faults;
  /** Unfolds the form if it's hidden. */
  onGaps?: () => void;
  onSubmit: (event: TargetedSubmitEvent<HTMLFormElement>) => void;
  children: ComponentChildren;
}) {
  const own = useRef<HTMLFormElement>(null);
  const element = given ?? own;
  const [gaps, setGaps] = useState(none);
  useEffect(() => {
    const [first] = [...gaps.keys()].flatMap((path) => fieldAt(element.current, path) ?? []);
    first?.closest('details')?.setAttribute('open', '');
    first?.focus();
  }, [gaps, element]);
  return (
    <form
      {...rest}
      ref={element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const found = gapsIn(event.currentTarget);
        setGaps(found);
        if (found.size === 0) onSubmit(event);
        else onGaps?.();
      }}
    >
      <FaultsContext.Provider value={new Map([...faults, ...gaps])}>
        {children}
      </FaultsContext.Provider>
    </form>
  );
}

type Control = {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
  readonly 'data-path': string | undefined;
};

/** A control with its label, and a fault or hint. */
export function Labelled({
  id: givenId,
  label,
  hint,
  path,
  children,
}: {
  id?: string;
  label: string;
  hint?: string | undefined;
  path?: string | undefined;
  children: (control: Control) => ComponentChildren;
}) {
  const madeId = useId();
  const id = givenId ?? madeId;
  const fault = useContext(FaultsContext).get(path ?? '');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': fault || hint ? `${id}-about` : undefined,
        'aria-invalid': fault ? true : undefined,
        'data-path': path,
      })}
      {fault ? (
        <span id={`${id}-about`} class="fault">
          <bdi>{shorten(fault, 500)}</bdi>
        </span>
      ) : (
        hint && (
          <small id={`${id}-about`} class="quiet">
            {hint}
          </small>
        )
      )}
    </div>
  );
}

export const Field = ({ label, hint, value, type = 'text', ...rest }: FieldProps) => (
  <Labelled label={label} hint={hint} path={rest.name}>
    {(control) =>
      inputOf(type, { ...control, defaultValue: value ?? '', spellcheck: false, ...rest })
    }
  </Labelled>
);

type InputProps = Control & {
  readonly name: string;
  readonly defaultValue: string;
  readonly spellcheck: boolean;
  readonly required?: boolean | undefined;
  readonly autocomplete?: string;
};

/** Preact types each kind of input separately. */
function inputOf(type: InputType, props: InputProps) {
  switch (type) {
    case 'text':
      return <input {...props} type="text" />;
    case 'email':
      return <input {...props} type="email" />;
    case 'url':
      return <input {...props} type="url" />;
    case 'number':
      return <input {...props} type="number" />;
    case 'password':
      return <input {...props} type="password" />;
    case 'datetime-local':
      return <input {...props} type="datetime-local" max={lastFieldMinute} />;
  }
}

export type Options = readonly (readonly [value: string, text: string])[];

export const Choice = ({
  label,
  name,
  value = '',
  hint,
  options,
}: {
  label: string;
  name: string;
  value?: string | undefined;
  hint?: string;
  options: Options;
}) => (
  <Labelled label={label} hint={hint} path={name}>
    {(control) => (
      <select {...control} name={name}>
        {options.map(([one, text]) => (
          <option key={one} value={one} ref={byDefault(one === value)}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Labelled>
);

/** Preact would only set what's selected now: resetting the form after saving would select another. */
const byDefault = (isSelected: boolean) => (option: HTMLOptionElement | null) => {
  if (option) option.defaultSelected = isSelected;
};

/** A moment in the address's query, shown in the reader's zone. */
export function MomentField({
  label,
  name,
  required,
}: {
  label: string;
  name: string;
  required?: boolean;
}) {
  const { query } = useLocation();
  return (
    <Field
      label={label}
      name={name}
      type="datetime-local"
      value={localField(queryMoment(query[name]))}
      required={required}
    />
  );
}

export function Checks({
  legend,
  hint,
  name,
  path = name,
  options,
  chosen,
}: {
  legend: string;
  hint: string;
  name: string;
  path?: string;
  options: readonly (readonly [value: string, text: ComponentChildren])[];
  chosen: readonly string[];
}) {
  const fault = useContext(FaultsContext).get(path);
  return (
    <fieldset data-path={path} tabIndex={-1}>
      <legend>{legend}</legend>
      <p class={fault ? 'fault' : 'quiet'}>
        <bdi>{shorten(fault ?? hint, 500)}</bdi>
      </p>
      {options.map(([value, text]) => (
        <label key={value} class="check">
          <input
            type="checkbox"
            name={name}
            value={value}
            defaultChecked={chosen.includes(value)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

/** A typed list, separated by spaces or commas. */
export const listIn = (text: string | undefined): string[] | undefined =>
  text?.split(/[\s,]+/).filter((part) => part !== '');

export const numberIn = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);

export const checkedIn = <Value extends string>(
  form: FormData,
  name: string,
  values: readonly Value[],
): Value[] => values.filter((value) => form.getAll(name).includes(value));

const fieldAt = (form: HTMLFormElement | null, path: string): HTMLElement | null =>
  form?.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`) ?? null;

/**
 * A form that changes something. If that fails, the text stays and each field says what's wrong with it. In a dialog,
 * success closes it.
 */
export function ChangeForm({
  submit,
  staysOpen = false,
  act,
  children,
}: {
  submit: string;
  /** For a dialog that shows the answer. The text stays too. */
  staysOpen?: boolean;
  act: (typed: Typed, form: FormData) => Promise<void>;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLFormElement>(null);
  const dialog = useContext(DialogContext);
  const action = useAction(async () => {
    const form = element.current;
    if (form === null) return;
    const typed = new FormData(form);
    dialog?.hold(true);
    await act(typedIn(typed), typed).finally(() => dialog?.hold(false));
    if (staysOpen) return;
    form.reset();
    dialog?.close();
  });
  const { failure } = action;
  useEffect(() => {
    const [first] =
      failure?.fields.flatMap(({ path }) => fieldAt(element.current, rootOf(path)) ?? []) ?? [];
    first?.focus();
  }, [failure]);
  return (
    <Form element={element} faults={faultsOf(failure)} onSubmit={action.run}>
      {children}
      {failure && (
        <Failure
          failure={failure}
          isAtField={(path) => fieldAt(element.current, rootOf(path)) !== null}
        />
      )}
      <p class="buttons">
        {dialog && !staysOpen && (
          <button
            type="button"
            aria-disabled={action.isRunning}
            onClick={() => action.isRunning || dialog.close()}
          >
            Cancel
          </button>
        )}
        <button type="submit" class="main" aria-disabled={action.isRunning}>
          {action.isRunning ? 'Working…' : submit}
        </button>
      </p>
    </Form>
  );
}

export const TextArea = ({
  label,
  hint,
  value = '',
  rows = 4,
  isCode = false,
  isReadOnly = false,
  ...rest
}: {
  label: string;
  hint?: string;
  name?: string;
  value?: string | undefined;
  rows?: number;
  isCode?: boolean;
  isReadOnly?: boolean;
  required?: boolean;
}) => (
  <Labelled label={label} hint={hint} path={rest.name}>
    {(control) => (
      <textarea
        {...control}
        {...rest}
        class={isCode ? 'code' : 'lines'}
        rows={rows}
        defaultValue={value}
        readOnly={isReadOnly}
        spellcheck={!isCode}
        autocomplete="off"
      />
    )}
  </Labelled>
);
