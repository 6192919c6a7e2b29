// Words that tools and their parameters are named with, by the tokens of o200k that they take at most: alone, after a space, with a capital.

export const wordsOfOneToken = `
  a access account accounts action actions activate active activity add added additional address admin
  advanced after agent ai alert alerts alias align all allow allowed alpha amount an analysis and answer
  answers any api app append application applications apply apps area args arguments array artifact as asc
  ask asset assets assign assigned assistant async at attribute attributes audio audit auth author authors
  auto await aws axis azure back background backup balance bank bar base basic batch before best billing
  blob block blocks board body boolean border bottom bounds browser bucket budget build bulk bundle business
  button by bytes ca cache calendar call calls can cancel card case cases catalog categories category cell
  cells center certificate change changed changes channel channels chart chat check checkbox checkout
  children chrome city class clean clear cli click client clone close closed cloud cluster code collection
  collections color colors column columns combine command commands comment comments commit compact company
  compare complete completed completion component components compute conditions config configuration confirm
  connect connected connection connections connector console contact contacts container contains content
  contents context continue control conversation convert copy core could count country counts create created
  credentials criteria critical cron css csv currency current cursor custom customer dark dashboard data
  database dataset date day days db debug default definition definitions delay delete deleted delivery
  deploy deployment depth desc describe description design desktop destination detail details detect dev
  developer device diff dimension dir direct direction directory disable disabled discover disk display
  distance distribution doc docker docs document domain done double down download draft drag drive drop dry
  due duplicate duration each edge edit editable editor effective element elements email emails emoji enable
  enabled encoding end endpoint ends entities entity entries entry enum env environment error eu evaluate
  event events every exact example examples exec execute execution existing exists expand expected export
  expression extended extension extensions external extra extract failed failure false fast favorite feature
  feedback fetch field fields file filename files fill filter filters find first fix fixed flow folder font
  for force fork form format formula forward found frame free from full function functions gateway generate
  generation get git github global go google grant graph green group groups handle has hash head headers
  health height help here hidden hide high hint history horizontal host hour hours hover how html http icon
  id identifier idle if ignore image images import in incident include index info infra init initial
  initialize inline inner input inputs insert inside inspect install instance instances instruction
  instructions integer intent internal interval invoice ip is iso issue it item items java job js json keep
  key keys keyword kind label labels lang language languages large last later latest launch layer layers
  layout learn leave left length less level library license limit limits line lines link links list lists
  live load local locale location locations lock log login logout logs long longitude loop low mail make
  manage management manager manual map margin mark marker market match matching matrix max me media medium
  member members membership memory merge mesh message messages meta metadata method metric metrics middle
  migration mime min missing mobile mode model models modified modify module mongo monitor month more most
  move ms multi multiple my mysql name names namespace navigate navigation need network new next no node
  nodes none not note notes notification null num number numbers object objects of off offset ok old on one
  only op open operation operations operator option options or order org organization organizations
  orientation origin original os other others output overview owner package page pages pagination palette
  paragraph parameters params parent part passed password patch path paths pattern pause payment pdf pending
  per percent percentage performance period permission permissions person personal phone php pie ping
  pipeline place places plan plans platform play plugin point points policy poll pool pop port position post
  prefer prefix prepare press preview previous price print printed priority private process product
  production products profile profiles program progress project projects prompt properties property protocol
  provider providers proxy public publish pull push put python quantity queries query question queue radius
  range rate raw react reaction read reader reason record red redis ref reference references refresh regex
  region regions registry reject release reload remote remove removed rename render replace replacement
  reply repo report repository request requested requests required research reset resize resolution resolve
  resource resources response rest restore restricted result results retrieve retry return returned returns
  reverse review revision right risk role roles root route row rows ruby rule rules run running runs runtime
  sales same sample save scale scan scene schedule scheduled schema scheme scope score screen script scripts
  search second seconds secret section sections security seed segment select selector send sender series
  server servers service services session sessions set settings sha shape share sheet short show since
  single site size skip slow smart snapshot sort source sources spec speed split sql stable stack stage
  standard start starts startup stat state states static stats status step stop storage strategy stream
  strict string structure style styles sub submit success summary svg switch symbol sync system tab table
  tables tabs tag tags tail take tap target task tasks team template templates term terms test testing tests
  text than that the theme then thinking third this thought thread three threshold throws thumbnail tier
  time timestamp title to token tokens tool tools top topic total trace track tracking transaction transfer
  transform translate trash tree trial trigger true two type types ui under undo unit units unknown unsafe
  until up update updated updates upgrade upload uri url us usage use used user username users uses using
  valid validate validation value values variable vars vault verify version video view viewer views
  visibility visible wait walking want warn warning watch web website week weight what when where wide width
  will window with within word words worker workflow workspace world write writes xml year yet you your
  youtube zone zoom
`;

export const wordsOfTwoTokens = `
  accessibility analyze annotations applied approve archived assignee authenticated backups bitbucket blame
  blocked branches brave buckets canceled claude comes commits crawl dashboards databases deactivate decline
  delimiter deployments destinations destructive detach diagnostics directions directories dismiss driving
  edits environments exclude excluded executions expiration expires expiry explain fails filesystem finds
  firefox firewall folders formatted forwarding frozen geocode gitlab graphql histogram hostname ignored
  inbound inbox indexes insights interact mailbox mappings memberships merged microsoft migrations milestone
  mongodb monitoring muted namespaces nodejs openapi outbound overwrite permanent pinned pipelines policies
  postgres postgresql prepend preserve preset processes programs reactions readme rebase recording rejected
  relevance reminder renamed reorder replacements replies repositories resolved retention reviewers
  revisions revoke rollback schedules schemas scopes screenshot secrets sensitive several sheets skipped
  slack spreadsheet sqlite stale statements statuses subscriptions suggested suggestions terminate thoughts
  timeframe timezone traces transcript trending triggers typescript unapprove uninstall unread upsert
  verbose wants warnings webhook webhooks whitespace whoami workflows workspaces
`;
