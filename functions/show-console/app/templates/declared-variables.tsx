import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { variableNamePattern } from '#shared/templates/rendering/template-tags';
import { announce } from '../parts/announce.tsx';
import { FaultsContext } from '../parts/form.tsx';
import { Foreign } from '../parts/text.tsx';
import { isSame } from '../shared/changes.ts';
import { count } from '../shared/format.ts';
import { oneOf } from '../shared/paging.ts';
import { every } from '../shared/words.ts';
import {
  type DeclaredVariable,
  declaredIn,
  textOf,
  textsIn,
  variablePath,
  without,
} from './draft.ts';
import { fieldId } from './fields.tsx';
import { NameToAdd } from './name-to-add.tsx';
import { sampleOf } from './sample.ts';
import type { TypedTemplate } from './typed-template.ts';

type VariableType = DeclaredVariable['type'];
const types = every<VariableType>()(['string', 'number', 'boolean', 'object', 'list']);

/** What a send must give, and what's printed if it doesn't. */
export function DeclaredVariables({ typed }: { typed: TypedTemplate }) {
  const declared = declaredIn(typed.draft);
  if (declared.length === 0 && !typed.isWritable) return null;
  return (
    <fieldset class="declared" disabled={!typed.isWritable}>
      <legend>Variables</legend>
      <p class="quiet">
        A send is refused if it lacks a required variable or gives one of the wrong type. An
        optional one that it lacks prints its fallback.
      </p>
      {declared.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Type</th>
              <th scope="col">Required</th>
              <th scope="col">Fallback</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {declared.map(([name, variable]) => (
              <Row key={name} typed={typed} name={name} variable={variable} />
            ))}
          </tbody>
        </table>
      )}
      {typed.isWritable && (
        <>
          <Undeclared typed={typed} declared={declared.map(([name]) => name)} />
          <AddVariable typed={typed} />
        </>
      )}
    </fieldset>
  );
}

function Row({
  typed,
  name,
  variable,
}: {
  typed: TypedTemplate;
  name: string;
  variable: DeclaredVariable;
}) {
  const path = variablePath(name);
  const declare = (changes: Partial<DeclaredVariable>) =>
    typed.write(path, textOf({ ...variable, ...changes }));
  const { type, required = false, fallback } = variable;
  const faults = useContext(FaultsContext);
  const fault = faults.get(path) ?? faults.get(`${path}.fallback`);
  const faultId = `${fieldId(path)}-about`;
  return (
    <tr>
      <th scope="row" id={fieldId(path)} tabIndex={-1}>
        <code>
          <Foreign text={name} />
        </code>
        <span id={faultId} class="fault">
          {fault}
        </span>
      </th>
      <td>
        <select
          aria-label={`Type of ${name}`}
          value={type}
          onChange={({ currentTarget }) => {
            declare({ type: oneOf(types, currentTarget.value) ?? type, fallback: undefined });
          }}
        >
          {types.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </td>
      <td>
        <input
          type="checkbox"
          aria-label={`${name} is required`}
          checked={required}
          onChange={({ currentTarget: { checked } }) =>
            declare({ required: checked, ...(checked && { fallback: undefined }) })
          }
        />
      </td>
      <td>
        <FallbackField
          // A fallback of another type, or none at all, drops what was typed.
          key={`${type} ${required}`}
          control={{
            'data-path': path,
            'aria-label': `Fallback of ${name}`,
            'aria-invalid': fault === undefined ? undefined : true,
            'aria-describedby': fault && faultId,
          }}
          type={type}
          fallback={fallback}
          isDisabled={required}
          onFallback={(value) => declare({ fallback: value })}
        />
      </td>
      <td>{typed.isWritable && <Remove typed={typed} name={name} />}</td>
    </tr>
  );
}

function Remove({ typed: { draft, change }, name }: { typed: TypedTemplate; name: string }) {
  return (
    <button
      type="button"
      class="small"
      aria-label={`Remove the variable ${name}`}
      onClick={() => {
        change({ draft: without(draft, [variablePath(name)]) });
        announce(`${name} removed`);
      }}
    >
      Remove
    </button>
  );
}

type Control = {
  readonly 'data-path': string;
  readonly 'aria-label': string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
};

/** Strings are unquoted, everything else is JSON. Invalid JSON changes nothing, and keeps the form from being sent. */
function FallbackField({
  control,
  type,
  fallback,
  isDisabled,
  onFallback,
}: {
  control: Control;
  type: VariableType;
  fallback: unknown;
  isDisabled: boolean;
  onFallback: (fallback: unknown) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  // Shown as typed as long as the fallback is the one that the typing left.
  const [typed, setTyped] = useState<{ readonly text: string; readonly left: unknown }>();
  const isTyped = typed !== undefined && isSame(typed.left, fallback);
  const text = isTyped ? typed.text : writtenFallback(type, fallback);
  const { fault = '' } = readFallback(type, text);
  useLayoutEffect(() => input.current?.setCustomValidity(fault), [fault]);
  return (
    <input
      {...control}
      ref={input}
      type="text"
      placeholder={isDisabled ? '' : 'None'}
      value={text}
      disabled={isDisabled}
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget: { value } }) => {
        const read = readFallback(type, value);
        setTyped({ text: value, left: read.fault === undefined ? read.value : fallback });
        if (read.fault === undefined) onFallback(read.value);
      }}
    />
  );
}

type ReadFallback = { readonly value?: unknown; readonly fault?: string };

function readFallback(type: VariableType, text: string): ReadFallback {
  if (text.trim() === '') return {};
  if (type === 'string') return { value: text };
  const fault = `Write ${examples[type]}, as JSON.`;
  try {
    const value: unknown = JSON.parse(text);
    return typeOf(value) === type ? { value } : { fault };
  } catch {
    return { fault };
  }
}

const examples: Readonly<Record<VariableType, string>> = {
  string: 'some words',
  number: 'a number, such as 1.5',
  boolean: 'true or false',
  object: 'an object, such as {"name": "Ann"}',
  list: 'a list, such as [1, 2]',
};

function writtenFallback(type: VariableType, fallback: unknown): string {
  if (fallback === undefined) return '';
  return type === 'string' && typeof fallback === 'string' ? fallback : JSON.stringify(fallback);
}

function typeOf(value: unknown): VariableType {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'object' && value !== null ? 'object' : 'string';
}

/** Variables that are printed but not declared. Their use shows their type. */
function Undeclared({
  typed: { draft, change },
  declared,
}: {
  typed: TypedTemplate;
  declared: readonly string[];
}) {
  const used = Object.entries(sampleOf(textsIn(draft))).filter(
    ([name]) => variableNamePattern.test(name) && !declared.includes(name),
  );
  if (used.length === 0) return null;
  const declare = () => {
    const added = used.map(([name, sample]) => [
      variablePath(name),
      textOf({ type: typeOf(sample) }),
    ]);
    change({ draft: { ...draft, ...Object.fromEntries(added) } });
    announce(`${count(used.length, 'variable')} declared`);
  };
  return (
    <p>
      <span class="quiet">Used, but not declared:</span>{' '}
      <Foreign text={used.map(([name]) => name).join(', ')} most={300} />{' '}
      <button type="button" class="small" onClick={declare}>
        {used.length === 1 ? 'Declare it' : 'Declare them'}
      </button>
    </p>
  );
}

function AddVariable({ typed: { draft, write } }: { typed: TypedTemplate }) {
  const add = (name: string): string | undefined => {
    if (!variableNamePattern.test(name))
      return 'Write letters, digits, dashes and underscores, without a dot.';
    if (draft[variablePath(name)] !== undefined) return `There’s already a variable ${name}.`;
    write(variablePath(name), textOf({ type: 'string' }));
    announce(`${name} declared`);
    return undefined;
  };
  return (
    <NameToAdd
      id={fieldId('variables')}
      label="Variable to declare"
      placeholder="name"
      button="Declare variable"
      add={add}
    />
  );
}
