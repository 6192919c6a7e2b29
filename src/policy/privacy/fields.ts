// Infers the kind of a value from the name of its field. `name` alone is not enough, because things have names too.
import type { HiddenKind } from "./kinds.js";

/** What a field's name says: its kind, or that its object or list is about people. */
export interface FieldFacts {
  readonly kind?: HiddenKind | undefined;
  /** A name of a person if its object is about a person. */
  readonly isName?: boolean | undefined;
  /** Objects and lists under it are about people. */
  readonly isPerson?: boolean | undefined;
  /** Its object is about a person. */
  readonly isPersonal?: boolean | undefined;
}

const nothing: FieldFacts = {};

const list = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const byName: ReadonlyMap<HiddenKind, ReadonlySet<string>> = new Map([
  [
    "name",
    list(
      "firstname lastname fullname middlename givenname familyname surname forename displayname realname legalname maidenname nickname personname " +
        "contactname customername clientname patientname employeename studentname guestname membername ownername authorname username_display " +
        "sendername recipientname cardholder cardholdername accountholder accountholdername holdername nom prenom nomcomplet vorname nachname " +
        "nombre apellido apellidos nome cognome voornaam achternaam namn fornamn efternamn imie nazwisko",
    ),
  ],
  [
    "phone",
    list(
      "phone phones phonenumber phonenumbers telephone telephonenumber tel mobile mobilephone mobilenumber cell cellphone cellnumber homephone " +
        "workphone businessphone businessphones fax faxnumber whatsapp msisdn telefon handy telefono telefone contactnumber contactphone",
    ),
  ],
  [
    "address",
    list(
      "street streetaddress street1 street2 addressline addressline1 addressline2 address1 address2 line1 line2 postaladdress homeaddress " +
        "mailingaddress billingaddress shippingaddress deliveryaddress strasse rue calle indirizzo",
    ),
  ],
  ["iban", list("iban ibannumber bankaccount accountiban")],
  ["card", list("card cardnumber creditcard creditcardnumber debitcard pan ccnumber")],
  ["ssn", list("ssn socialsecurity socialsecuritynumber taxid nationalid")],
  [
    "secret",
    list(
      "password passwd passphrase secret clientsecret apikey apisecret accesstoken refreshtoken idtoken authtoken bearertoken privatekey secretkey " +
        "secretaccesskey accesskey sessiontoken connectionstring",
    ),
  ],
]);
const kindOf: ReadonlyMap<string, HiddenKind> = new Map(
  [...byName].flatMap(([kind, names]) => [...names].map((name) => [name, kind] as const)),
);

/** Objects and lists under these names are about people. */
const people = list(
  "person people persons user users author authors assignee assignees owner owners contact contacts customer customers client clients attendee " +
    "attendees member members participant participants sender recipient recipients employee employees patient patients student students guest " +
    "guests lead leads reporter reporters reviewer reviewers creator organizer organizers manager managers applicant applicants candidate " +
    "candidates subscriber subscribers passenger passengers committer approver approvers profile emailaddress from to cc bcc",
);
/** An object with one of these is about a person. */
const personal = list(
  "email emails emailaddress mail phone phonenumber mobile firstname lastname givenname familyname surname birthday birthdate dateofbirth dob gender " +
    "ssn jobtitle salary",
);
const names = list("name label title_name cn");

const facts = new Map<string, FieldFacts>();
const maxFacts = 5000;
const maxLength = 40;

/** Letters and digits of the name, in lower case: `first_name`, `firstName` and `First Name` are one. */
const toPlain = (name: string): string => name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();

export const readField = (name: string): FieldFacts => {
  if (name === "" || name.length > maxLength) return nothing;
  let known = facts.get(name);
  if (known === undefined) {
    const plain = toPlain(name);
    known = {
      kind: kindOf.get(plain),
      isName: names.has(plain),
      isPerson: people.has(plain),
      isPersonal: personal.has(plain),
    };
    if (facts.size >= maxFacts) facts.clear();
    facts.set(name, known);
  }
  return known;
};

const isPlausible: Readonly<Record<HiddenKind, (value: string) => boolean>> = {
  email: () => false,
  ip: () => false,
  // A name has letters and no address, path or code in it.
  name: (value) =>
    value.length <= 80 &&
    /\p{L}/u.test(value) &&
    (value.includes(" ") || !/\d/.test(value)) &&
    !/[@/\\{}[\]<>_=|]|:\s?\S/.test(value),
  phone: (value) =>
    value.length <= 40 && countDigits(value) >= 5 && !/[a-wyz@/]/i.test(value.replace(/ext\.?/i, "")),
  address: (value) => value.length <= 200 && /\p{L}/u.test(value) && !/^https?:|@/.test(value),
  iban: (value) => value.length <= 42 && countDigits(value) >= 8,
  card: (value) => value.length <= 24 && countDigits(value) >= 12 && !/[a-z]/i.test(value),
  ssn: (value) => value.length <= 14 && countDigits(value) >= 7,
  secret: (value) => value.length >= 6 && value.length <= 4096 && !/\s|^[*x•.]+$|^\$?\{/.test(value),
};

const countDigits = (value: string): number => {
  let count = 0;
  for (let at = 0; at < value.length; at++)
    if (value.charCodeAt(at) >= 48 && value.charCodeAt(at) <= 57) count++;
  return count;
};

/** Two to four words with capitals: for lists of people that are texts. */
const fullName = /^\p{Lu}[\p{L}'’.-]{0,30}(?: \p{L}[\p{L}'’.-]{0,30}){1,3}$/u;

export interface FieldPlace {
  readonly field: FieldFacts;
  /** What the field around the object or list says. */
  readonly around: FieldFacts;
  /** The value is in an object that has personal fields. */
  readonly isPersonal: boolean;
  /** What the tool declares for the field. */
  readonly declared?: HiddenKind | undefined;
}

/** The kind of a whole value, by its field. */
export const judgeField = (
  value: string,
  place: FieldPlace,
  kinds: ReadonlySet<HiddenKind>,
): HiddenKind | undefined => {
  const { field, around, isPersonal, declared } = place;
  const isNamed = field.isName === true && (isPersonal || around.isPerson === true);
  for (const kind of [declared, field.kind, isNamed ? ("name" as const) : undefined])
    if (kind !== undefined && kinds.has(kind) && isPlausible[kind](value)) return kind;
  return field.isPerson === true && kinds.has("name") && value.length <= 80 && fullName.test(value)
    ? "name"
    : undefined;
};
