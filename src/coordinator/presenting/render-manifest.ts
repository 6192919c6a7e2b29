// Renders the calls that a program can make, for people: where each is, its constants, how often it may be made.
import { type EffectManifest, type Json, type ManifestCall, toVisibleText } from "../../contracts/index.js";

const maxValue = 300;

const showValue = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > maxValue ? `${text.slice(0, maxValue)}… (${text.length} characters)` : text;
};

/** `to: "ann@acme.com", body: any value, …` */
const renderArguments = ({ constants, choices = {}, digests = {}, open, isOpen }: ManifestCall): string => {
  const known = [
    ...Object.entries(constants).map(([name, value]) => `${name}: ${showValue(value)}`),
    ...Object.entries(choices).map(([name, values]) => `${name}: ${values.map(showValue).join(" or ")}`),
    ...Object.keys(digests).map((name) => `${name}: the long text of the program`),
    ...open.map((name) => `${name}: any value`),
  ];
  if (isOpen !== true) return known.join(", ");
  return known.length === 0 ? "any arguments" : [...known, "any other argument"].join(", ");
};

const toPlace = ({ file, line }: Pick<ManifestCall, "file" | "line">): string =>
  [...(file === undefined ? [] : [file]), ...(line === undefined ? [] : [`line ${line}`])].join(", ");

/** `line 3: mail.send(to: "ann@acme.com", body: any value), writes, once` */
export const renderManifestCall = (call: ManifestCall): string => {
  const { server, tool, isReadOnly, count, max } = call;
  const place = toPlace(call);
  const often = count === "once" ? "once" : `up to ${max} times`;
  return toVisibleText(
    `${place === "" ? "" : `${place}: `}${server}.${tool}(${renderArguments(call)}), ${isReadOnly ? "reads" : "writes"}, ${often}`,
  );
};

const maxDynamic = 5;

/** Where a program makes calls that are only known at run time, and what to change. */
export const renderDynamic = ({ hasDynamicCalls, dynamic = [] }: EffectManifest): readonly string[] => {
  if (!hasDynamicCalls) return [];
  if (dynamic.length === 0) return ["It also makes calls that are only known at run time."];
  const places = dynamic
    .slice(0, maxDynamic)
    .map(({ excerpt, ...place }) => toVisibleText(`  ${toPlace(place)}: ${excerpt}`));
  const more = dynamic.length > maxDynamic ? [`  and ${dynamic.length - maxDynamic} more`] : [];
  return [
    "It also makes calls that are only known at run time. To have them listed, name the server and the tool in these lines:",
    ...places,
    ...more,
  ];
};

/** Everything that a program can call, one line for each place. */
export const renderManifest = (manifest: EffectManifest): readonly string[] => {
  const lines = [
    ...(manifest.calls.length === 0 ? [] : ["It can call:"]),
    ...manifest.calls.map((call) => `  ${renderManifestCall(call)}`),
    ...renderDynamic(manifest),
  ];
  return lines.length === 0 ? ["It can call nothing"] : lines;
};
