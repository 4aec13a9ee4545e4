import { type NodePath, type PluginObj, type PluginTarget, types as build } from '@babel/core';
import { kinds, tokensOf } from './tokens.ts';

/** Global functions that exist during the build only. */
export const plainMark = '__text__';
export const richMark = '__rich__';
export const factsMark = '__languageFacts__';

/**
 * Replaces calls of `i18n` and elements `Trans`, as Lingui's macros write them, by marks: `__text__('id', values, choose)`
 * and `__rich__('id', values, components, element, choose)`. A mark is given the functions that its text needs. Facts about
 * the language become marks, too: `__languageFacts__.direction`.
 * @param textsOf called with each id and its English text; returns the text in all languages
 */
export function markTexts(textsOf: (id: string, message: string) => string[]): PluginTarget {
  return (): PluginObj => ({
    visitor: {
      Program: {
        exit(program) {
          const used = new Set<string>();
          const helper = (name: string) => {
            used.add(name);
            return build.identifier(`_${name}Text`);
          };
          const mark = (name: string, of: Fields, more: build.Expression[]) => {
            const isPlain = textsOf(of.id, of.message)
              .flatMap(tokensOf)
              .every((token) => typeof token === 'string' || !kinds.includes(String(token[1])));
            const call = build.callExpression(build.identifier(name), [
              build.stringLiteral(of.id),
              of.values ?? build.objectExpression([]),
              ...more,
              ...(isPlain ? [] : [helper('choose')]),
            ]);
            return build.addComment(call, 'leading', '@__PURE__');
          };
          program.traverse({
            CallExpression: {
              exit(path) {
                const { callee } = path.node;
                if (isImported(path, callee, 'languageFacts')) {
                  if (!path.parentPath.isMemberExpression({ object: path.node, computed: false }))
                    throw path.buildCodeFrameError('A fact about the language has to be named where it is asked for');
                  path.replaceWith(build.identifier(factsMark));
                  return;
                }
                if (!build.isMemberExpression(callee) || !isImported(path, callee.object, 'i18n')) return;
                path.replaceWith(mark(plainMark, fieldsOf(path, path.node.arguments[0]), []));
              },
            },
            JSXElement: {
              exit(path) {
                const { name, attributes } = path.node.openingElement;
                if (!isImported(path, name, 'Trans')) return;
                const [spread] = attributes;
                const fields = fieldsOf(path, build.isJSXSpreadAttribute(spread) ? spread.argument : undefined);
                const components = fields.components ?? build.objectExpression([]);
                const call =
                  fields.components === undefined && fields.values === undefined
                    ? mark(plainMark, fields, [])
                    : mark(richMark, fields, [components, helper('element')]);
                const isChild = path.parentPath.isJSXElement() || path.parentPath.isJSXFragment();
                path.replaceWith(isChild ? build.jsxExpressionContainer(call) : call);
              },
            },
          });
          for (const path of program.get('body'))
            if (path.isImportDeclaration() && path.node.source.value === '#i18n') removeCalls(path);
          if (used.size === 0) return;
          const specifiers = [...used].map((name) =>
            build.importSpecifier(build.identifier(`_${name}Text`), build.identifier(name)),
          );
          program.unshiftContainer('body', build.importDeclaration(specifiers, build.stringLiteral('#i18n')));
        },
      },
    },
  });
}

type Fields = {
  id: string;
  message: string;
  values?: build.ObjectExpression;
  components?: build.ObjectExpression;
};

function fieldsOf(path: NodePath, node: build.Node | undefined): Fields {
  const fields = new Map<string, build.Node>();
  for (const property of build.isObjectExpression(node) ? node.properties : [])
    if (build.isObjectProperty(property) && build.isIdentifier(property.key))
      fields.set(property.key.name, property.value);
  const text = (name: string) => {
    const value = fields.get(name);
    if (!build.isStringLiteral(value))
      throw path.buildCodeFrameError('A text in a page has to be written where it is shown');
    return value.value;
  };
  return {
    id: text('id'),
    message: text('message'),
    values: fields.get('values') as build.ObjectExpression | undefined,
    components: fields.get('components') as build.ObjectExpression | undefined,
  };
}

/** Whether the name is this export of `#i18n`. */
function isImported(path: NodePath, node: build.Node, exported: string): boolean {
  if (!build.isIdentifier(node) && !build.isJSXIdentifier(node)) return false;
  const binding = path.scope.getBinding(node.name)?.path;
  if (!binding?.isImportSpecifier() || !binding.parentPath.isImportDeclaration()) return false;
  const { imported } = binding.node;
  return binding.parentPath.node.source.value === '#i18n' && build.isIdentifier(imported, { name: exported });
}

function removeCalls(path: NodePath<build.ImportDeclaration>): void {
  const isCall = (specifier: build.Node) =>
    build.isImportSpecifier(specifier) &&
    build.isIdentifier(specifier.imported) &&
    ['i18n', 'Trans', 'languageFacts'].includes(specifier.imported.name);
  path.node.specifiers = path.node.specifiers.filter((specifier) => !isCall(specifier));
  if (path.node.specifiers.length === 0) path.remove();
}
