// Synonyms that tool authors and users choose differently. Each line is a group; a word may be in several.
import { toTerm } from "./vocabulary.js";

const groups = `
  create make new generate build compose produce
  add append insert attach include
  write add append insert
  delete remove erase clear purge discard drop
  update edit modify change revise alter adjust
  set configure assign setting preference
  find search lookup query discover locate seek
  get fetch retrieve obtain load
  read open view load
  list show enumerate browse display
  view show display
  write save store persist record
  send deliver dispatch submit
  post publish share
  run execute launch invoke start trigger
  stop kill terminate cancel abort halt end
  pause suspend
  resume continue restart
  copy duplicate clone replicate
  move relocate transfer
  rename name title
  compute calculate calculation evaluate
  calculator calculate arithmetic math mathematics
  convert transform export conversion
  translate translation localize localization
  summarize summary digest overview brief
  compare comparison diff difference versus
  merge combine join concatenate consolidate
  split divide separate partition
  sort order rank
  filter select choose pick
  count number total quantity amount
  book reserve reservation booking
  schedule appointment calendar event
  meeting appointment calendar
  buy purchase order
  shop shopping store
  sell sale
  draw paint sketch
  plot chart graph visualize visualization diagram
  analyze analysis analytics examine assess evaluate
  check verify validate inspect
  test verify
  monitor watch track observe
  download fetch save
  upload import
  explain describe description detail
  recommend suggest recommendation suggestion advise
  extract parse scrape crawl
  browser navigate web
  click press tap
  type enter input fill
  login signin authenticate authentication auth
  approve accept confirm
  reject decline deny
  close resolve finish complete
  assign delegate
  invite member
  follow subscribe subscription
  connect link attach
  encrypt encryption cipher
  compress zip archive
  install setup
  deploy deployment release
  backup restore
  image picture photo photograph img
  screenshot capture snapshot
  icon logo
  spreadsheet excel sheet workbook xlsx
  presentation slide slideshow powerpoint ppt pptx deck
  word docx document doc
  document file
  folder directory dir
  email mail inbox
  message chat conversation
  sms text message
  channel room
  issue ticket bug
  repository repo
  commit revision change
  branch fork
  website site web webpage page
  url link address
  stock share equity ticker
  price cost quote fee
  crypto cryptocurrency bitcoin coin token
  finance financial
  economy economic
  invest investment portfolio
  weather forecast temperature climate
  route direction navigation itinerary
  location place address coordinate position
  geocode coordinate latitude longitude
  map geography
  nearby near around close proximity
  distance mile kilometer radius
  restaurant dining eat food
  hotel accommodation lodging stay
  flight airline airplane
  train railway rail
  travel trip tour journey vacation
  car vehicle automobile
  time clock hour
  timezone time
  date day
  today current now
  latest recent newest new
  history historical past
  news headline article
  trend trending popular hot
  rank ranking top leaderboard
  paper publication article academic scholarly research
  database sql db
  table row column
  schema structure
  video movie film clip
  music song audio track
  sound audio voice speech
  speech voice tts
  transcript transcribe transcription subtitle caption
  code program script
  package library dependency module
  documentation docs manual reference guide
  log trace
  task todo job
  project workspace
  note memo
  recipe meal dish cook
  drug medicine medication
  doctor physician
  patient medical health clinical
  disease illness condition
  gene genetic genome
  game gaming play
  currency money exchange forex
  company business firm corporation
  customer client
  employee staff worker
  product item goods merchandise
  invoice bill receipt
  payment pay transaction
  expense spending cost
  budget plan
  user account profile
  person people contact
  team group
  permission access role
  password credential secret
  notification alert reminder notify
  comment reply feedback
  review rating star
  label tag category
  file document attachment
  container docker
  kubernetes k8s cluster pod
  postgres postgresql
  javascript js
  typescript ts
  python py
  pull pr
  configuration config
  environment env
  server host machine
  process pid
  memory remember recall
  percent percentage ratio
  random shuffle dice
  size dimension
  error exception failure
  job career employment
  property house home apartment
  student pupil learner
  course class lesson
  school university college
  art artwork painting
  museum gallery exhibit
  word vocabulary term definition
  text content string
  question ask answer
  font typography
  color colour
  form survey questionnaire
  country nation
  city town
  population demographic
  sport match team
`;

const readGroups = (): ReadonlyMap<string, readonly string[]> => {
  const synonyms = new Map<string, Set<string>>();
  for (const line of groups.trim().split("\n")) {
    const terms = line
      .trim()
      .split(" ")
      .map((word) => toTerm(word) ?? word);
    for (const term of terms) {
      const known = synonyms.get(term) ?? new Set();
      for (const other of terms) if (other !== term) known.add(other);
      synonyms.set(term, known);
    }
  }
  return new Map([...synonyms].map(([term, others]) => [term, [...others]]));
};

const synonyms = readGroups();

/** The synonyms of a term. */
export const synonymsOf = (term: string): readonly string[] => synonyms.get(term) ?? [];
