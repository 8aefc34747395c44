import { join } from 'node:path';
import type { Checker, Project, Type } from 'typescript/unstable/sync';
import { API, SymbolFlags, TypeFlags } from 'typescript/unstable/sync';
import { root } from '../../run/apps.ts';

type Schema = Record<string, unknown>;

/**
 * JSON Schemas of a type's members, recursively, as the compiler resolves them: `schemasOf('api/http/openapi/answers.ts', 'Answers')`. A field's
 * doc comment becomes its description.
 */
export const schemasOf = (file: string, name: string): Record<string, Record<string, Schema>> => {
  const compiler = new API({ cwd: root });
  try {
    const project = compiler.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProject(join(root, 'tsconfig.json'));
    if (!project) throw new Error('tsconfig.json is no project');
    const { checker } = project;
    return membersOf(checker, declared(project, join(root, file), name), (kind) =>
      membersOf(checker, kind, (one) => schemaOf(checker, one)),
    );
  } finally {
    compiler.close();
  }
};

const declared = ({ checker, program }: Project, file: string, name: string): Type => {
  const source = program.getSourceFile(file);
  const place = source?.text.indexOf(`type ${name} `) ?? -1;
  const symbol = place < 0 ? undefined : checker.getSymbolAtPosition(file, place + 'type '.length);
  if (!symbol) throw new Error(`${file} declares no type ${name}`);
  return checker.getDeclaredTypeOfSymbol(symbol);
};

const membersOf = <Member>(checker: Checker, type: Type, of: (member: Type) => Member): Record<string, Member> =>
  Object.fromEntries(checker.getPropertiesOfType(type).map((member) => [member.name, of(checker.getTypeOfSymbol(member)!)]));

const schemaOf = (checker: Checker, type: Type): Schema => {
  const { flags } = type;
  if (flags & TypeFlags.AnyOrUnknown) return {};
  if (type.isUnionType())
    return oneOf(
      type.getTypes().filter((part) => !(part.flags & TypeFlags.Undefined)),
      checker,
    );
  if (type.isLiteralType()) return { const: type.value };
  if (flags & (TypeFlags.String | TypeFlags.TemplateLiteral)) return { type: 'string' };
  if (flags & TypeFlags.Number) return { type: 'number' };
  if (flags & TypeFlags.Boolean) return { type: 'boolean' };
  if (flags & TypeFlags.Null) return { type: 'null' };
  if (flags & TypeFlags.Never) return { not: {} };
  if (checker.isArrayType(type) && type.isTypeReference()) {
    const [item] = checker.getTypeArguments(type);
    return { type: 'array', items: item ? schemaOf(checker, item) : {} };
  }
  if (type.isObjectType() || type.isIntersectionType()) return objectOf(checker, type);
  throw new Error(`${checker.typeToString(type)} is no JSON`);
};

const objectOf = (checker: Checker, type: Type): Schema => {
  const members = checker.getPropertiesOfType(type);
  const [index] = checker.getIndexInfosOfType(type);
  const required = members.filter(({ flags }) => !(flags & SymbolFlags.Optional)).map(({ name }) => name);
  const properties = members.map((member) => {
    const description = checker.getDocumentationCommentOfSymbol(member).trim();
    return [
      member.name,
      { ...schemaOf(checker, checker.getTypeOfSymbol(member)!), ...(description === '' ? {} : { description }) },
    ] as const;
  });
  return {
    type: 'object',
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(required.length === 0 ? {} : { required }),
    ...(index ? { additionalProperties: schemaOf(checker, index.valueType) } : {}),
  };
};

/** Unions of literals as an enum, `true | false` as a boolean, and `null` as nullable, in an order independent of the compiler's. */
const oneOf = (parts: readonly Type[], checker: Checker): Schema => {
  const values = parts.flatMap((part) => (part.isLiteralType() ? [part.value] : []));
  const words = values.filter((value) => typeof value === 'string' || typeof value === 'number').toSorted();
  const truths = values.filter((value) => typeof value === 'boolean');
  const all = [
    ...parts.filter((part) => !part.isLiteralType()).map((part) => schemaOf(checker, part)),
    ...(words.length === 0 ? [] : [words.length === 1 ? { const: words[0] } : { enum: words }]),
    ...(truths.length === 0 ? [] : [truths.length === 1 ? { const: truths[0] } : { type: 'boolean' }]),
  ];
  const schemas = [...new Set(all.map((schema) => JSON.stringify(schema)))].toSorted().map((text) => JSON.parse(text) as Schema);
  const [first, second] = schemas.filter(({ type }) => type !== 'null');
  if (second !== undefined || first === undefined) return schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
  if (schemas.length === 1) return first;
  return typeof first['type'] === 'string' ? { ...first, type: [first['type'], 'null'] } : { anyOf: schemas };
};
